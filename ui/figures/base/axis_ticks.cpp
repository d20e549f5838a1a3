#include "ui/figures/base/axis_ticks.h"

#include "ui/text/number_text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

double roundStep(double least) {
    const double power = std::pow(10, std::floor(std::log10(least)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= least * (1 - 1e-9))
            return factor * power;
    return 10 * power;
}

std::vector<double> ticksBetween(double low, double high, double step) {
    constexpr std::size_t kMax = 1000; // stops the loop if rounding makes the step vanish
    std::vector<double> ticks;
    for (double i = std::ceil(low / step - 1e-9);
         i * step <= high + step * 1e-9 && ticks.size() < kMax; ++i)
        ticks.push_back(i == 0 ? 0 : i * step);
    return ticks;
}

QString tickText(double tick, double step) {
    if (tick == 0)
        return QStringLiteral("0");
    const int place =
        static_cast<int>(std::floor(std::log10(step) + 1e-9)); // decimal position of the last digit
    if (step < 0.9e-4 || std::abs(tick) > 99999.5) {
        const int first = static_cast<int>(std::floor(std::log10(std::abs(tick)) + 1e-9));
        return powerText(tick, std::max(0, first - place));
    }
    return fixedText(tick, std::max(0, -place));
}

} // namespace headlight::ui
