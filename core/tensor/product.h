// Matrix products of any size. product_kernel.h has the inner loops; the files next to it divide
// the work.
//
// Each element depends only on its row of a, its column of b and the depth, bit for bit: not on its
// position, strides, transposition, or the number of threads. It sums 256 products in order, adds
// the sum of the next 256, and so on. The bits may differ on other processors (see
// product_kernel.h).
//
// Large products run in blocks and check `stop` before each block, every few milliseconds; if
// stopped, the contents of `out` are invalid. Shapes must match. Throws std::bad_alloc if 1 MB per
// thread is not available.
#pragma once

#include "core/tensor/encoded_matrix.h"
#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// out = a · b, for a [m, k], b [k, n], out [m, n].
void multiply(MatrixView a, MatrixView b, MutableMatrixView out, const std::stop_token &stop = {});

/// out = a · bᵀ, for a [m, k], b [n, k], out [m, n].
void multiplyTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                        const std::stop_token &stop = {});

/// out += a · b, and out += a · bᵀ. If the depth is split at multiples of 256, adding the parts in
/// order results in the same bits as the whole product.
void addProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                const std::stop_token &stop = {});
void addProductTransposed(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop = {});

/// out = a · b, or a · bᵀ if `transposed`, where the lines of the encoded matrix are rows of b.
/// Decodes b while multiplying; the result has the same bits as with the decoded matrix, unless its
/// encoding is multiplied in fixed point (core/kernels/fixed_point.h). Encodings in blocks must be
/// `transposed`.
void multiplyEncoded(MatrixView a, const EncodedMatrix &b, bool transposed, MutableMatrixView out,
                     const std::stop_token &stop = {});

/// out += aᵀ · b, for a [k, m], b [k, n], out [m, n]. For the gradients of parameters.
void addTransposedProduct(MatrixView a, MatrixView b, MutableMatrixView out,
                          const std::stop_token &stop = {});

} // namespace headlight::core
