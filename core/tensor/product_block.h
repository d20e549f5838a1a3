// The part of a matrix product that one thread computes.
#pragma once

#include "core/kernels/product_kernel.h"
#include "core/tensor/encoded_matrix.h"
#include "core/tensor/matrix.h"

#include <stop_token>

namespace headlight::core {

/// A matrix or its transpose. The matrix is a view of floats, or part of an encoded one.
struct Factor {
    MatrixView matrix; ///< without data if encoded; its rows are then lines
    bool transposed = false;
    const EncodedMatrix *encoded = nullptr;
    Index line = 0;   ///< first line in `encoded`
    Index number = 0; ///< first number in each line

    Index columns() const { return transposed ? matrix.rows : matrix.columns; }
    Factor columnBlock(Index first, Index count) const {
        return transposed ? ofRows(first, count) : ofColumns(first, count);
    }
    Factor rowBlock(Index first, Index count) const {
        return transposed ? ofColumns(first, count) : ofRows(first, count);
    }

  private:
    Factor ofRows(Index first, Index count) const {
        if (encoded)
            return {{nullptr, count, matrix.columns, 0}, transposed, encoded, line + first, number};
        return {matrix.rowBlock(first, count), transposed};
    }
    Factor ofColumns(Index first, Index count) const {
        if (encoded)
            return {{nullptr, matrix.rows, count, 0}, transposed, encoded, line, number + first};
        return {matrix.columnBlock(first, count), transposed};
    }
};

/// Number of products in one partial sum. Partial sums are added in order. The number is fixed,
/// because it determines the bits of the result.
constexpr Index kProductDepth = 256;

/// Maximum number of columns of productBlock().
constexpr Index kProductBlockColumns = 512;

/// out = a · b, or out += a · b, on this thread. Only b may be encoded; then a must not be
/// transposed, and b must be transposed if it is encoded in blocks. Checks `stop` every few
/// milliseconds. All dimensions are positive.
void productBlock(const ProductKernel &kernel, const Factor &a, const Factor &b,
                  Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop);

} // namespace headlight::core
