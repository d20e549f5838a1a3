// A matrix changed as little as possible so that a vector comes out where it is wanted.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// W + x·δᵀ ÷ (x·x): of all matrices W′ with x·W′ = x·W + δ the one that is nearest to W in the sum
/// of squared differences (Broyden 1965, "good" update). W [C, d], x of C numbers, δ of d. Errors:
/// x is zero, and no matrix changes what it gives.
Result<Matrix> smallestChange(MatrixView weights, std::span<const float> x,
                              std::span<const double> delta);

} // namespace headlight::core
