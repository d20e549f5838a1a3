// The standard normal distribution's density and how much of it lies below a number: GELU's parts.
#pragma once

#include "core/operations/exponential.h"

#include <numbers>

namespace headlight::core {

struct NormalDistribution {
    float below;   ///< Φ(x)
    float density; ///< exp(−x²/2) / √(2π)
};

/// Both with a relative error below 3e-6 for |x| ≤ 10, also where they are tiny; exactly 0 and 1
/// beyond |x| = 13.3. Arithmetic only, as exponential() is. The tail is exp(−x²/2)·t·P(t), t = 1/(1
/// + 0.3·|x|), a form of Hastings (1955); tests/reference/fit_normal_tail.py fitted P.
inline NormalDistribution normalDistribution(float x) {
    const float bell = exponential(-x * x / 2);
    const float size = x < 0 ? -x : x;
    const float t = 1 / (1 + 0.3f * size);
    float polynomial = 0.035674761f;
    for (const float coefficient : {-0.157203026f, 0.206353404f, -0.0536835469f, 0.128561573f,
                                    0.0999135089f, 0.120753953f, 0.119629299f})
        polynomial = polynomial * t + coefficient;
    const float tail = bell * (t * polynomial);
    constexpr float height = std::numbers::inv_sqrtpi_v<float> / std::numbers::sqrt2_v<float>;
    return {x < 0 ? tail : 1 - tail, bell * height};
}

} // namespace headlight::core
