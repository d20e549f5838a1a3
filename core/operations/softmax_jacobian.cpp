#include "core/operations/softmax_jacobian.h"

#include "core/operations/row_sum.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

Matrix softmaxJacobian(std::span<const float> weights, float temperature) {
    assert(temperature > 0);
    const auto size = static_cast<Index>(weights.size());
    Matrix jacobian(size, size);
    for (Index j = 0; j < size; ++j)
        for (Index k = 0; k < size; ++k) {
            const auto own = static_cast<double>(weights[static_cast<std::size_t>(j)]);
            const auto other = static_cast<double>(weights[static_cast<std::size_t>(k)]);
            jacobian(j, k) = static_cast<float>(own * ((j == k ? 1 : 0) - other) /
                                                static_cast<double>(temperature));
        }
    return jacobian;
}

double softmaxJacobianNorm(std::span<const float> weights, float temperature, double rest) {
    assert(temperature > 0);
    if (weights.empty())
        return 0;
    // Handles the largest weight separately, because 1 − w loses all digits if w is almost 1.
    const auto most = static_cast<std::size_t>(std::ranges::max_element(weights) - weights.begin());
    const auto sumOfOthers = [&](auto term) {
        return rowSum(weights.size(), [&](std::size_t j) {
            return j == most ? 0.0 : term(static_cast<double>(weights[j]));
        });
    };
    const auto largest = static_cast<double>(weights[most]);
    const double others = rest + sumOfOthers([](double weight) { return weight; });
    const double squares = sumOfOthers([](double weight) { return weight * weight; });
    const double fourths = sumOfOthers([](double weight) { return std::pow(weight, 4); });
    // The diagonal: (w·(1 − w))² for each weight.
    const double diagonal = std::pow(largest * others, 2) + sumOfOthers([&](double weight) {
                                return std::pow(weight * (largest + others - weight), 2);
                            });
    const double pairs =
        2 * largest * largest * squares + std::max(squares * squares - fourths, 0.0);
    return std::sqrt(diagonal + pairs) / static_cast<double>(temperature);
}

} // namespace headlight::core
