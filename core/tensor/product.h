// Matrix products, of any size by the same code: core/tensor/product_kernel.h sums up, the files
// beside it divide the work.
//
// An element depends on its row of a, its column of b and the depth alone, to the last bit: not on
// what stands beside it, where it stands, strides, transposition, or how many threads there are. It
// is the sum of 256 products, from front to back, plus that of the next 256, and so on. Other
// processors may give other bits (see product_kernel.h).
//
// A large product goes block by block and looks at `stop` before each, which is every few
// milliseconds; what a stopped one leaves in `out` is of no use. Shapes that do not fit are a
// programmer's error. std::bad_alloc where there is no memory for 1 MB a thread.
#pragma once

#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// out = a · b, for a [m, k], b [k, n], out [m, n].
void multiply(MatrixView a, MatrixView b, MutableMatrixView out, const std::stop_token &stop = {});

/// out = a · bᵀ, for a [m, k], b [n, k], out [m, n].
void multiplyTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                        const std::stop_token &stop = {});

/// out += a · b, and out += a · bᵀ. Of a product whose depth is divided into multiples of 256 the
/// pieces, added from front to back, give the bits of the whole.
void addProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                const std::stop_token &stop = {});
void addProductTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop = {});

/// out += aᵀ · b, for a [k, m], b [k, n], out [m, n]: how the gradients of weights sum up.
void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop = {});

} // namespace headlight::core
