// Limits the length of a history.
#pragma once

#include "core/training/run/history.h"

namespace headlight::core {

/// If the last point is that of `step`, removes and returns it, so that more can be added to it.
/// Otherwise returns a new one.
HistoryPoint takePointOf(History &history, Index step);

/// Appends a point. If there are kMaxHistory points, removes every second one without held-out
/// metrics. The choice depends only on the step numbers, so that resumed runs keep the same points.
void addPoint(History &history, HistoryPoint point);

} // namespace headlight::core
