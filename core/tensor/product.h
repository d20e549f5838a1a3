// Matrix products. Eigen stays behind this header, so that its templates are compiled once.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// out = a · b, for a [m, k], b [k, n], out [m, n]. Shapes that do not fit are a programmer's
/// error.
void multiply(MatrixView a, MatrixView b, MutableMatrixView out);

/// out = a · bᵀ, for a [m, k], b [n, k], out [m, n].
void multiplyTransposed(MatrixView a, MatrixView b, MutableMatrixView out);

/// out += aᵀ · b, for a [k, m], b [k, n], out [m, n]: how the gradients of weights sum up.
void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out);

} // namespace headlight::core
