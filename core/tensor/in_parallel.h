// Runs work on several threads. The threads are created once and reused, because starting one takes
// longer than a pass through a small model.
#pragma once

#include "core/tensor/matrix.h"

#include <functional>

namespace headlight::core {

/// Returns the number of threads that share work, including the caller. It is the number of cores
/// minus one, so that the window stays responsive, and at most 8. With two cores it is two, because
/// a mostly idle window gets a core as soon as it wakes.
Index maxThreads();

/// Calls work(item, lane) once for each item 0 … count − 1, in any order, on this thread and the
/// pool's threads. Returns when all are done.
///
/// Concurrent calls of `work` have different lanes in 0 … maxThreads() − 1; this thread has lane 0.
/// A nested call runs only on the calling thread, to avoid deadlocks. Rethrows the first exception
/// of `work`; items that have not started by then are skipped.
void inParallel(Index count, const std::function<void(Index item, Index lane)> &work);

} // namespace headlight::core
