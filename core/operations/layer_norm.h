// Layer normalisation (Ba, Kiros and Hinton 2016, section 3): every token's vector is centred and
// scaled by itself.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out[t] = (x[t] − mean) / √(variance + epsilon) · gain + bias, row by row; the variance is the
/// mean square (÷ C). x and out [T, C], may be the same numbers; gain and bias [C], or empty: 1 and
/// 0. epsilon ≥ 0; where variance and epsilon are both 0 the row is the bias.
void layerNorm(MatrixView x, std::span<const float> gain, std::span<const float> bias,
               float epsilon, MutableMatrixView out);

/// `x` is what went in. xGradient [T, C] is written and may be outGradient's numbers; the gradients
/// of gain and bias [C] are added to, and empty where they are not wanted.
void layerNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                       MatrixView outGradient, MutableMatrixView xGradient,
                       std::span<float> gainGradient, std::span<float> biasGradient);

} // namespace headlight::core
