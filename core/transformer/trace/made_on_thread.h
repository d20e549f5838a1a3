// For tests that check that the UI thread never computes stages.
#pragma once

#include <cstddef>

namespace headlight::core {

/// Returns how often Trace::stage() had to compute on this thread.
std::size_t stagesMadeOnThisThread();

} // namespace headlight::core
