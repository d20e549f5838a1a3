// What a silenced head gives instead of its context.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// Every row becomes the mean of the first `real` ≥ 1 rows, the ones that are not padding ("mean
/// ablation", Wang et al. 2022, section 2.1, here over the tokens of one sequence). Shape [T, d].
void replaceByMean(MutableMatrixView context, Index real);

/// The context's gradient, of what the mean was put in its place for: written, and may be
/// outGradient's numbers. Shapes [T, d].
void meanBackward(MatrixView outGradient, Index real, MutableMatrixView gradient);

} // namespace headlight::core
