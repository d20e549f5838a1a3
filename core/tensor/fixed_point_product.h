// Products with encoded weights whose kernels use fixed point (core/kernels/fixed_point.h).
#pragma once

#include "core/kernels/fixed_point.h"
#include "core/tensor/product_block.h"

#include <vector>

namespace headlight::core {

/// Returns the kernel if products with b use fixed point, otherwise null.
FixedDots fixedDotsOf(const ProductKernel &kernel, const Factor &b);

/// The rows of a matrix in fixed point, as slices of kFixedSlice numbers. Throws std::bad_alloc.
class FixedPointRows {
  public:
    FixedPointRows(const FixedPointKernel &kernel, MatrixView a);

    /// Returns false if the row has an infinite number or NaN. Such a row has no integers and is
    /// multiplied as floats.
    bool isFixed(Index row) const { return m_isFixed[static_cast<std::size_t>(row)] != 0; }
    const FixedSlice *row(Index row) const {
        return m_slices.data() + static_cast<std::size_t>(row * m_slicesPerRow);
    }
    Index slicesPerRow() const { return m_slicesPerRow; }

  private:
    Index m_slicesPerRow;
    std::vector<FixedSlice> m_slices;
    std::vector<char> m_isFixed;
};

/// Like productBlock(). The rows of a in fixed point are in `rows`, starting at `firstRow`.
void fixedPointProduct(const ProductKernel &kernel, MatrixView a, const FixedPointRows &rows,
                       Index firstRow, const Factor &b, Accumulate accumulate,
                       MutableMatrixView out, const std::stop_token &stop);

} // namespace headlight::core
