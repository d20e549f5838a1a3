// Axis ticks: few round numbers with as few decimals as possible.
#pragma once

#include <QString>

#include <vector>

namespace headlight::ui {

/// Returns the smallest 1, 2 or 5 times a power of ten that is at least `least`, which is positive.
double roundStep(double least);
/// Returns the multiples of `step` from `low` to `high`, at most 1000 of them.
std::vector<double> ticksBetween(double low, double high, double step);
/// Formats a tick: "0.5", "−20", or "2·10⁻⁷" if it would have too many digits. Zero is "0".
QString tickText(double tick, double step);

} // namespace headlight::ui
