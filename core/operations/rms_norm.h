// Root mean square normalisation (Zhang and Sennrich 2019): layer normalisation without centring.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out[t] = x[t] / √(mean of x[t]² + epsilon) · gain, per row. x and out are [T, C] and may share
/// memory. gain is [C]; empty means 1. epsilon ≥ 0. Rows of zeros stay zero, even if epsilon is 0.
void rmsNorm(MatrixView x, std::span<const float> gain, float epsilon, MutableMatrixView out);

/// `x` is the input of the forward pass. Writes xGradient [T, C], which may share memory with
/// outGradient. Adds to gainGradient [C]; pass an empty span to skip it.
void rmsNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                     MatrixView outGradient, MutableMatrixView xGradient,
                     std::span<float> gainGradient);

} // namespace headlight::core
