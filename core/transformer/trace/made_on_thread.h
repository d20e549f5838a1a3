// For tests that check that the UI thread never computes stages.
#pragma once

#include <cstddef>

namespace headlight::core {

/// Returns how often Trace::stage(), matrix() or rows() had to compute a stage, a matrix or a row
/// of words on this thread.
std::size_t stagesMadeOnThisThread();

} // namespace headlight::core
