// The smallest change of a matrix that maps a vector to a given result.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// Returns W + x·δᵀ ÷ (x·x): of all W′ with x·W′ = x·W + δ, the one with the smallest sum of
/// squared differences from W (Broyden 1965, "good" update). W is [C, d], x has C components, δ has
/// d. Error: x is zero, so no change of W has an effect.
Result<Matrix> smallestChange(MatrixView weights, std::span<const float> x,
                              std::span<const double> delta);

} // namespace headlight::core
