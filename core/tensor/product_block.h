// The part of a matrix product that one thread computes.
#pragma once

#include "core/kernels/product_kernel.h"
#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// A matrix or its transpose.
struct Factor {
    MatrixView matrix;
    bool transposed = false;

    Index columns() const { return transposed ? matrix.rows : matrix.columns; }
    Factor columnBlock(Index first, Index count) const {
        return {transposed ? matrix.rowBlock(first, count) : matrix.columnBlock(first, count),
                transposed};
    }
    Factor rowBlock(Index first, Index count) const {
        return {transposed ? matrix.columnBlock(first, count) : matrix.rowBlock(first, count),
                transposed};
    }
};

/// Number of products in one partial sum; the partial sums are added in order. Fixed, because it
/// determines the bits of the result.
constexpr Index kProductDepth = 256;

/// Maximum number of columns of productBlock().
constexpr Index kProductBlockColumns = 512;

/// out = a · b, or out += a · b, on this thread. Checks `stop` every few milliseconds. All
/// dimensions are positive.
void productBlock(const ProductKernel &kernel, const Factor &a, const Factor &b,
                  Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop);

} // namespace headlight::core
