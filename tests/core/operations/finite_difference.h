// Compares gradients with finite differences of the forward operation.
#pragma once

#include "reference.h"

namespace headlight::core::test {

/// Returns Σ coefficient · number, a loss whose gradient with respect to the numbers is the
/// coefficients.
inline double weighed(std::span<const float> coefficients, std::span<const float> numbers) {
    REQUIRE(coefficients.size() == numbers.size());
    double sum = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i)
        sum += static_cast<double>(coefficients[i]) * static_cast<double>(numbers[i]);
    return sum;
}

/// Checks a gradient by five-point central differences. Their error falls with step⁴, so the step
/// may be large relative to the rounding of 32-bit floats.
template <typename Loss>
void checkSlopes(std::span<float> variable, std::span<const float> gradient, Loss loss,
                 float step = 1.0f / 16) {
    REQUIRE(variable.size() == gradient.size());
    std::vector<float> slopes;
    for (float &number : variable) {
        const float before = number;
        const auto lossAt = [&](float steps) {
            number = before + steps * step;
            const double value = loss();
            number = before;
            return value;
        };
        const double slope = (8 * (lossAt(1) - lossAt(-1)) - (lossAt(2) - lossAt(-2))) /
                             (12 * static_cast<double>(step));
        slopes.push_back(static_cast<float>(slope));
    }
    checkClose(gradient, slopes, kGradients);
}

} // namespace headlight::core::test
