// Limits the length of a history.
#pragma once

#include "core/training/run/history.h"

namespace headlight::core {

/// Removes and returns the last point if it is that of `step`, so that more can be added to it;
/// else returns a new one.
HistoryPoint takePointOf(History &history, Index step);

/// Appends a point. At kMaxHistory points, removes every second one without held-out metrics. The
/// choice depends only on the step numbers, so resumed runs keep the same points.
void addPoint(History &history, HistoryPoint point);

} // namespace headlight::core
