// The output of an ablated head.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// Replaces every row with the mean of the first `real` ≥ 1 rows, which are not padding. This is
/// "mean ablation" (Wang et al. 2022, section 2.1), here over the tokens of one sequence. Shape [T,
/// d].
void replaceByMean(MutableMatrixView context, Index real);

/// The backward pass of replaceByMean(). Writes `gradient`, which may share memory with
/// outGradient. Shapes [T, d].
void meanBackward(MatrixView outGradient, Index real, MutableMatrixView gradient);

} // namespace headlight::core
