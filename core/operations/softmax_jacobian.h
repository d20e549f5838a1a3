// How strongly softmax answers to its scores: where one weight is near 1, no score matters any
// more and no gradient flows (Vaswani et al. 2017, section 3.2.1, footnote 4: why scores are
// divided by √d).
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// J[j, k] = ∂weights[j]/∂scores[k] = weights[j] · (δ_jk − weights[k]) / temperature, shape [S, S],
/// of a row of weights that softmax made with this temperature > 0.
Matrix softmaxJacobian(std::span<const float> weights, float temperature);

/// Its Frobenius norm, √ΣJ², without the matrix: 0 where one weight is 1.
double softmaxJacobianNorm(std::span<const float> weights, float temperature);

} // namespace headlight::core
