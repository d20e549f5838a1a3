#include "core/tensor/shared_product.h"

#include "core/tensor/fixed_point_product.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <optional>

namespace headlight::core {

namespace {

/// Minimum number of multiply-adds, about 50 µs of work, that justifies waking another thread.
constexpr Index kWorthSharing = Index(1) << 20;
/// Multiply-adds per block, which take a millisecond on a slow core at 8·10⁹ per second.
constexpr Index kBlock = Index(1) << 23;
constexpr Index kBlockRows = 384;
constexpr Index kMinColumns = 128;
/// A block with fewer rows takes as long as one with this many, because memory bandwidth limits it.
constexpr Index kMinRows = 8;
/// Blocks per thread of a large product. More than one, because a thread may wake late or be slowed
/// down by other programs.
constexpr Index kBlocksPerThread = 4;

constexpr Index pieces(Index length, Index ofLength) {
    return (length + ofLength - 1) / ofLength;
}

} // namespace

void sharedProduct(const ProductKernel &kernel, const Factor &a, const Factor &b,
                   Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    const Index depth = a.columns();
    if (out.rows * out.columns == 0)
        return;
    if (depth == 0) {
        for (Index r = 0; r < out.rows && accumulate == Accumulate::Replace; ++r)
            std::ranges::fill(out.row(r), 0.0f);
        return;
    }
    std::optional<FixedPointRows> fixed;
    if (fixedDotsOf(kernel, b)) {
        // Converts the rows once for all blocks. Splits products with many rows, to limit the
        // memory of the converted rows.
        for (Index r = 0; r < out.rows && out.rows > kBlockRows; r += kBlockRows) {
            const Index rows = std::min(kBlockRows, out.rows - r);
            sharedProduct(kernel, a.rowBlock(r, rows), b, accumulate, out.rowBlock(r, rows), stop);
        }
        if (out.rows > kBlockRows || stop.stop_requested())
            return;
        fixed.emplace(*kernel.fixedPoint, a.matrix);
    }
    const auto multiply = [&](Index row, Index rows, Index column, Index columns) {
        const Factor left = a.rowBlock(row, rows), right = b.columnBlock(column, columns);
        const MutableMatrixView to{out.data + row * out.stride + column, rows, columns, out.stride};
        if (fixed)
            fixedPointProduct(kernel, left.matrix, *fixed, row, right, accumulate, to, stop);
        else
            productBlock(kernel, left, right, accumulate, to, stop);
    };
    if (std::max(out.rows, kMinRows) * depth * out.columns < kWorthSharing)
        return multiply(0, out.rows, 0, out.columns);

    const Index height = std::min(kBlockRows, out.rows);
    const Index worth = kBlock / (std::max(height, kMinRows) * depth);
    const Index share = pieces(out.columns, kBlocksPerThread * maxThreads());
    const Index most = std::clamp(std::min(worth, share), kMinColumns, kProductBlockColumns);
    // All threads get the same number of blocks, of about the same width.
    const Index across = pieces(pieces(out.columns, most), maxThreads()) * maxThreads();
    const Index width = pieces(pieces(out.columns, across), kernel.columns) * kernel.columns;
    // Blocks that read the same columns of b, the larger matrix, are consecutive.
    const Index down = pieces(out.rows, height);
    inParallel(down * pieces(out.columns, width), [&](Index block, Index) {
        const Index row = block % down * height, column = block / down * width;
        const Index rows = std::min(height, out.rows - row);
        const Index columns = std::min(width, out.columns - column);
        multiply(row, rows, column, columns);
    });
}

} // namespace headlight::core
