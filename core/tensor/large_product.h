// Matrix products that are large enough for oneDNN, which chooses its code for the processor that
// it runs on. Everybody else calls core/tensor/product.h, which decides.
#pragma once

#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// Multiply-adds. From 24 × 24 × 24 on oneDNN is ahead of Eigen, which is compiled for every
/// x86-64; from 47 × 47 × 47 on by 2.6 times with AVX2 and 4.5 times with AVX-512. But its first
/// call takes some 25 ms to write its machine code, and a lesson of a few words shall not wait for
/// that.
constexpr Index kLargeProduct = 100'000;

constexpr bool isLargeProduct(Index rows, Index depth, Index columns) {
    return rows * depth * columns >= kLargeProduct;
}

/// A matrix as it stands, or its transpose.
struct Factor {
    MatrixView matrix;
    bool transposed = false;

    Index columns() const { return transposed ? matrix.rows : matrix.columns; }
};

enum class Into { Replace, Add };

/// out = a · b, or out += a · b, in blocks between which it looks at `stop`; what a stopped product
/// leaves in `out` is of no use. No side may be zero. The same shapes give the same bits on the
/// same processor, however many threads there are. Throws std::bad_alloc, as Eigen does.
void largeProduct(const Factor &a, const Factor &b, Into into, MutableMatrixView out,
                  const std::stop_token &stop);

} // namespace headlight::core
