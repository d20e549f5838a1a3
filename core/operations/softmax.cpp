#include "core/operations/softmax.h"

#include "core/kernels/kernels.h"
#include "core/operations/row_sum.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace headlight::core {

namespace {

/// Returns exp((score − sink) ÷ temperature), the weight of a key divided by that of the sink.
double besideSink(float score, float temperature, float sink) {
    return std::exp((static_cast<double>(score) - static_cast<double>(sink)) /
                    static_cast<double>(temperature));
}

double shareOfSink(std::span<const float> scores, float temperature, float sink) {
    double sum = 1; // in order, so that hidden scores at the end do not change the result
    for (const float score : scores)
        sum += besideSink(score, temperature, sink);
    return 1 / sum;
}

double weightedGradient(std::span<const float> weights, std::span<const float> weightsGradient) {
    return rowSum(weights.size(), [&](std::size_t j) {
        return static_cast<double>(weights[j]) * static_cast<double>(weightsGradient[j]);
    });
}

} // namespace

void softmax(std::span<const float> scores, float temperature, std::span<float> weights,
             float sink) {
    assert(scores.size() == weights.size() && temperature > 0);
    if (scores.empty())
        return;
    const RowKernels &rows = fastestKernels().rows;
    const float maximum = rows.maximum(scores.data(), scores.size());
    constexpr float infinity = std::numeric_limits<float>::infinity();
    if (maximum == -infinity) {
        std::fill(weights.begin(), weights.end(), 0.0f);
        return;
    }
    if (maximum == infinity) { // scores that overflowed to ∞ share the weight equally
        const auto count = static_cast<float>(std::count(scores.begin(), scores.end(), infinity));
        std::transform(scores.begin(), scores.end(), weights.begin(),
                       [&](float score) { return score == infinity ? 1 / count : 0; });
        return;
    }
    // The sum is in double, because rows can have thousands of entries and must sum to 1 within
    // float precision.
    double sum =
        rows.exponentials(scores.data(), scores.size(), maximum, temperature, weights.data());
    if (sink != kNoSink)
        sum += std::exp((static_cast<double>(sink) - static_cast<double>(maximum)) /
                        static_cast<double>(temperature));
    rows.scale(weights.data(), weights.size(), static_cast<float>(1.0 / sum));
}

float sinkWeight(std::span<const float> scores, float temperature, float sink) {
    return static_cast<float>(shareOfSink(scores, temperature, sink));
}

void softmaxBackward(std::span<const float> weights, std::span<const float> weightsGradient,
                     float temperature, std::span<float> scoresGradient) {
    assert(weights.size() == weightsGradient.size() && weights.size() == scoresGradient.size());
    assert(temperature > 0);
    // The part of the gradient that all weights share has no effect, because the weights always sum
    // to 1.
    const double alike = weightedGradient(weights, weightsGradient);
    for (std::size_t j = 0; j < weights.size(); ++j) {
        const double own = static_cast<double>(weightsGradient[j]) - alike;
        scoresGradient[j] = static_cast<float>(static_cast<double>(weights[j]) * own /
                                               static_cast<double>(temperature));
    }
}

double sinkGradient(std::span<const float> weights, std::span<const float> weightsGradient,
                    float temperature) {
    const double sum =
        rowSum(weights.size(), [&](std::size_t j) { return static_cast<double>(weights[j]); });
    // In a row of zeros no key is visible, and the sink has no effect.
    return sum == 0 ? 0
                    : (sum - 1) * weightedGradient(weights, weightsGradient) /
                          static_cast<double>(temperature);
}

double sinkWeightBackward(std::span<const float> scores, float temperature, float sink, float slope,
                          std::span<float> scoresGradient) {
    assert(scores.size() == scoresGradient.size());
    const double weight = shareOfSink(scores, temperature, sink);
    const double arriving = static_cast<double>(slope) * weight / static_cast<double>(temperature);
    // If the sink has no weight, an exponential may be infinite, so the loop is skipped.
    for (std::size_t j = 0; j < scores.size() && arriving != 0; ++j)
        scoresGradient[j] -=
            static_cast<float>(arriving * (weight * besideSink(scores[j], temperature, sink)));
    return arriving * (1 - weight);
}

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
