// The smallest change of a matrix that maps a vector to a given result.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// Returns W + x·δᵀ ÷ (x·x): among all W′ with x·W′ = x·W + δ the one nearest to W in the sum of
/// squared differences (Broyden 1965, "good" update). W is [C, d], x has C numbers, δ has d. Error:
/// x is zero, so that no matrix changes its product.
Result<Matrix> smallestChange(MatrixView weights, std::span<const float> x,
                              std::span<const double> delta);

} // namespace headlight::core
