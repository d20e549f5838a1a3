// Softmax along a row, as in Bridle (1990), made safe against overflow by subtracting the row's
// maximum.
#pragma once

#include <span>

namespace headlight::core {

/// weights[j] = exp(scores[j]/temperature) / Σ_k exp(scores[k]/temperature). Sizes are equal,
/// temperature > 0. A score of −∞ gives exactly 0; a row of nothing but −∞ gives zeros, never NaN.
void softmax(std::span<const float> scores, float temperature, std::span<float> weights);

/// scoresGradient[j] = weights[j] · (weightsGradient[j] − Σ_k weights[k]·weightsGradient[k]) ÷
/// temperature, of the weights that came out. It is written, and may be weightsGradient's numbers.
/// A row of zeros, which saw nothing, gives zeros.
void softmaxBackward(std::span<const float> weights, std::span<const float> weightsGradient,
                     float temperature, std::span<float> scoresGradient);

} // namespace headlight::core
