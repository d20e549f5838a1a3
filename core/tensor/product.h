// Matrix products: Eigen for small ones, oneDNN for large ones. Both stay behind this header, so
// that their headers are compiled once.
//
// A large product goes block by block and looks at `stop` before each, which is every few
// milliseconds; what a stopped one leaves in `out` is of no use. Equal shapes give equal bits on
// the same processor. Shapes that do not fit are a programmer's error.
#pragma once

#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// out = a · b, for a [m, k], b [k, n], out [m, n].
void multiply(MatrixView a, MatrixView b, MutableMatrixView out, const std::stop_token &stop = {});

/// out = a · bᵀ, for a [m, k], b [n, k], out [m, n].
void multiplyTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                        const std::stop_token &stop = {});

/// out += aᵀ · b, for a [k, m], b [k, n], out [m, n]: how the gradients of weights sum up.
void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop = {});

} // namespace headlight::core
