// Sensitivity of softmax to its scores. If one weight is near 1, changes of scores have almost no
// effect and gradients vanish. This is why scores are divided by √d (Vaswani et al. 2017, section
// 3.2.1, footnote 4).
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// J[j, k] = ∂weights[j]/∂scores[k] = weights[j] · (δ_jk − weights[k]) / temperature, shape [S, S].
/// `weights` is a softmax output at this temperature > 0.
Matrix softmaxJacobian(std::span<const float> weights, float temperature);

/// Returns the Frobenius norm of the Jacobian, √ΣJ², without building the matrix. 0 if one weight
/// is 1. `rest`: 1 − Σ weights, the share of a sink.
double softmaxJacobianNorm(std::span<const float> weights, float temperature, double rest = 0);

} // namespace headlight::core
