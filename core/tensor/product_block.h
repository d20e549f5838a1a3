// What one thread does of a matrix product.
#pragma once

#include "core/tensor/matrix.h"
#include "core/tensor/product_kernel.h"

#include <stop_token>

namespace headlight::core {

/// A matrix as it stands, or its transpose.
struct Factor {
    MatrixView matrix;
    bool transposed = false;

    Index columns() const { return transposed ? matrix.rows : matrix.columns; }
    /// Columns first … first + count − 1.
    Factor columnBlock(Index first, Index count) const {
        return {transposed ? matrix.rowBlock(first, count) : matrix.columnBlock(first, count),
                transposed};
    }
    /// Rows first … first + count − 1.
    Factor rowBlock(Index first, Index count) const {
        return {transposed ? matrix.columnBlock(first, count) : matrix.rowBlock(first, count),
                transposed};
    }
};

/// Every sum starts anew after so many products, and the sums of the pieces are added from front to
/// back. A fixed number: it is part of what the bits of a product are.
constexpr Index kProductDepth = 256;

/// The widest block that productBlock() takes.
constexpr Index kProductBlockColumns = 512;

/// out = a · b, or out += a · b, on this thread. Looks at `stop` every few milliseconds. No side
/// may be zero.
void productBlock(const ProductKernel &kernel, const Factor &a, const Factor &b,
                  Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop);

} // namespace headlight::core
