// Layer normalisation (Ba, Kiros and Hinton 2016, section 3): centres and scales each token's
// vector.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out[t] = (x[t] − mean) / √(variance + epsilon) · gain + bias, per row, with the biased variance
/// (÷ C). x and out are [T, C] and may share memory. gain and bias are [C]; empty means 1 and 0.
/// epsilon ≥ 0. A row becomes the bias if its variance and epsilon are both 0.
void layerNorm(MatrixView x, std::span<const float> gain, std::span<const float> bias,
               float epsilon, MutableMatrixView out);

/// `x` is the input of the forward pass. Writes xGradient [T, C], which may share memory with
/// outGradient. Adds to the gradients of gain and bias [C]; pass empty spans to skip them.
void layerNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                       MatrixView outGradient, MutableMatrixView xGradient,
                       std::span<float> gainGradient, std::span<float> biasGradient);

} // namespace headlight::core
