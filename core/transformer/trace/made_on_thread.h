// For tests: the UI thread must never compute stages.
#pragma once

#include <cstddef>

namespace headlight::core {

/// Returns how often Trace::stage() had to compute on this thread.
std::size_t stagesMadeOnThisThread();

} // namespace headlight::core
