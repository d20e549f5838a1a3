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

double softmaxJacobianNorm(std::span<const float> weights, float temperature) {
    assert(temperature > 0);
    const auto weight = [&](std::size_t j) { return static_cast<double>(weights[j]); };
    const double squares =
        rowSum(weights.size(), [&](std::size_t j) { return weight(j) * weight(j); });
    // Row j: its diagonal's (1 − w_j)², and the squares of all other weights.
    const double sum = rowSum(weights.size(), [&](std::size_t j) {
        const double square = weight(j) * weight(j), rest = 1 - weight(j);
        return square * (rest * rest + std::max(squares - square, 0.0));
    });
    return std::sqrt(sum) / static_cast<double>(temperature);
}

} // namespace headlight::core
