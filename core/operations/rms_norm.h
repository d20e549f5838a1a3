// Root mean square normalisation (Zhang and Sennrich 2019): layer normalisation that does not
// centre.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out[t] = x[t] / √(mean of x[t]² + epsilon) · gain, row by row. x and out [T, C], may be the same
/// numbers; gain [C], or empty: 1. epsilon ≥ 0; a row of zeros stays zeros, also where epsilon is
/// 0.
void rmsNorm(MatrixView x, std::span<const float> gain, float epsilon, MutableMatrixView out);

/// `x` is what went in. xGradient [T, C] is written and may be outGradient's numbers; the gain's
/// gradient [C] is added to, and empty where it is not wanted.
void rmsNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                     MatrixView outGradient, MutableMatrixView xGradient,
                     std::span<float> gainGradient);

} // namespace headlight::core
