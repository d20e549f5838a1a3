#include "core/training/recipe/optimizer_settings.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace headlight::core {

double learningRateAt(const OptimizerSettings &settings, Index step, Index steps) {
    const double whole = settings.learningRate;
    if (step < settings.warmUp)
        return whole * static_cast<double>(step + 1) / static_cast<double>(settings.warmUp);
    if (!settings.cosine)
        return whole;
    const auto way = static_cast<double>(std::max<Index>(steps - 1 - settings.warmUp, 1));
    const double gone = std::min(static_cast<double>(step - settings.warmUp) / way, 1.0);
    constexpr double kEnd = 0.1;
    return whole * (kEnd + (1 - kEnd) * (1 + std::cos(std::numbers::pi * gone)) / 2);
}

} // namespace headlight::core
