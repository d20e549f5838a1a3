// Softmax along a row, as in Bridle (1990). Subtracts the row's maximum to avoid overflow.
#pragma once

#include <span>

namespace headlight::core {

/// weights[j] = exp(scores[j]/temperature) / Σ_k exp(scores[k]/temperature). Sizes are equal,
/// temperature > 0. A score of −∞ gives exactly 0; a row with only −∞ gives zeros, never NaN.
void softmax(std::span<const float> scores, float temperature, std::span<float> weights);

/// scoresGradient[j] = weights[j] · (weightsGradient[j] − Σ_k weights[k]·weightsGradient[k]) ÷
/// temperature, where `weights` is the softmax output. Written; may share memory with
/// weightsGradient. A row of zeros (a query without visible keys) gives zeros.
void softmaxBackward(std::span<const float> weights, std::span<const float> weightsGradient,
                     float temperature, std::span<float> scoresGradient);

} // namespace headlight::core
