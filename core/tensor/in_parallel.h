// Work that several threads share. They are made once and wait for the next, since a pass through
// a small model is over before a new thread has begun.
#pragma once

#include "core/tensor/matrix.h"

#include <functional>

namespace headlight::core {

/// How many threads share work, the one that asks included: all but one core, so that the window
/// stays quick; but both of two, because a window that mostly sleeps gets a core at once when it
/// wakes.
Index mostThreads();

/// Calls work(item, lane) once for each item 0 … count − 1, in any order, on this thread and on
/// those that wait, and returns when all are done. Of two calls at the same time the lanes differ:
/// 0 … mostThreads() − 1, this thread has 0. Within such work all is done by the thread that asks,
/// so that nobody waits for somebody who waits.
///
/// What `work` throws first is thrown here; items that had not begun by then are left out.
void inParallel(Index count, const std::function<void(Index item, Index lane)> &work);

} // namespace headlight::core
