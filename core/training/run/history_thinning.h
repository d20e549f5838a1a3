// How a history stays short.
#pragma once

#include "core/training/run/history.h"

namespace headlight::core {

/// Takes the last point out if it is that of this step, so that more can be noted in it; else a new
/// one.
HistoryPoint takePointOf(History &history, Index step);

/// Appends it. Once there are kMostHistory, every second one goes that was not measured; which of
/// them is a matter of their steps alone, so that a run that was continued has the same ones.
void addPoint(History &history, HistoryPoint point);

} // namespace headlight::core
