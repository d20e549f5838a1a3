// For tests: a window must never wait for a stage that its trace has to make first.
#pragma once

#include <cstddef>

namespace headlight::core {

/// How often Trace::stage() had to compute on this thread.
std::size_t stagesMadeOnThisThread();

} // namespace headlight::core
