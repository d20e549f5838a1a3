// Softmax along a row, as in Bridle (1990). Subtracts the row's maximum to avoid overflow.
#pragma once

#include "core/tensor/matrix.h"

#include <limits>
#include <span>

namespace headlight::core {

inline constexpr float kNoSink = -std::numeric_limits<float>::infinity();

/// weights[j] = exp(scores[j]/temperature) / Σ_k exp(scores[k]/temperature). Sizes are equal,
/// temperature > 0. A score of −∞ results in exactly 0. A row with only −∞ results in zeros, not
/// NaN.
///
/// A sink is one more score that has no weight in the result, whose sum is then less than 1 (OpenAI
/// 2025, gpt-oss-120b & gpt-oss-20b Model Card, section 2.2).
void softmax(std::span<const float> scores, float temperature, std::span<float> weights,
             float sink = kNoSink);

/// Returns the sink's weight, the rest of the row: 1 ÷ (1 + Σ_k exp((scores[k] − sink) ÷
/// temperature)). It is 1 if all scores are −∞.
float sinkWeight(std::span<const float> scores, float temperature, float sink);

/// scoresGradient[j] = weights[j] · (weightsGradient[j] − Σ_k weights[k]·weightsGradient[k]) ÷
/// temperature, where `weights` is the softmax output. Writes scoresGradient, which may share
/// memory with weightsGradient. The gradient of a row of zeros (a query without visible keys) is
/// zero. The formula is the same with a sink.
void softmaxBackward(std::span<const float> weights, std::span<const float> weightsGradient,
                     float temperature, std::span<float> scoresGradient);

/// Returns the gradient of a row's sink: −(1 − Σ_k weights[k]) · Σ_k weights[k]·weightsGradient[k]
/// ÷ temperature.
double sinkGradient(std::span<const float> weights, std::span<const float> weightsGradient,
                    float temperature);

/// Adds to scoresGradient[j] the part that comes from `slope`, the gradient of the sink's weight:
/// −slope · weight · weights[j] ÷ temperature. Returns the gradient of the sink.
double sinkWeightBackward(std::span<const float> scores, float temperature, float sink, float slope,
                          std::span<float> scoresGradient);

/// The sensitivity of softmax to its scores. If one weight is near 1, changes of scores have almost
/// no effect and gradients vanish. This is why scores are divided by √d (Vaswani et al. 2017,
/// section 3.2.1, footnote 4).
///
/// J[j, k] = ∂weights[j]/∂scores[k] = weights[j] · (δ_jk − weights[k]) / temperature, shape [S, S].
/// `weights` is a softmax output at this temperature > 0.
Matrix softmaxJacobian(std::span<const float> weights, float temperature);

/// Returns the Frobenius norm of the Jacobian, √ΣJ², without building the matrix. 0 if one weight
/// is 1. `rest`: 1 − Σ weights, the share of a sink.
double softmaxJacobianNorm(std::span<const float> weights, float temperature, double rest = 0);

} // namespace headlight::core
