// Output of an ablated head.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// Replaces every row by the mean of the first `real` ≥ 1 rows, which are not padding ("mean
/// ablation", Wang et al. 2022, section 2.1, here over the tokens of one sequence). Shape [T, d].
void replaceByMean(MutableMatrixView context, Index real);

/// Gradient of the context that replaceByMean() replaced. Writes `gradient`, which may share memory
/// with outGradient. Shapes [T, d].
void meanBackward(MatrixView outGradient, Index real, MutableMatrixView gradient);

} // namespace headlight::core
