// The numbers at an axis: few, round, and as many decimals as they need.
#pragma once

#include <QString>

#include <vector>

namespace headlight::ui {

/// 1, 2 or 5 times a power of ten, at least `least` > 0.
double roundStep(double least);
/// The multiples of `step` from low to high, at most as many as anybody can read.
std::vector<double> ticksBetween(double low, double high, double step);
/// "0.5", "−20", "2·10⁻⁷" where the step needs more than a few digits; zero is "0".
QString tickText(double tick, double step);

} // namespace headlight::ui
