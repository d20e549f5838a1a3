#include "core/tensor/shared_product.h"

#include "core/tensor/in_parallel.h"

#include <algorithm>

namespace headlight::core {

namespace {

/// Multiply-adds that are worth waking another thread: some 50 µs.
constexpr Index kWorthSharing = Index(1) << 20;
/// Those of a block: half a millisecond on a slow core, which does 8·10⁹ a second.
constexpr Index kBlock = Index(1) << 23;
constexpr Index kBlockRows = 384;
constexpr Index kFewestColumns = 192;
/// A block of fewer rows takes as long as one of so many: it waits for memory.
constexpr Index kFewestRows = 8;

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
    if (std::max(out.rows, kFewestRows) * depth * out.columns < kWorthSharing)
        return productBlock(kernel, a, b, accumulate, out, stop);

    const Index height = std::min(kBlockRows, out.rows);
    const Index worth = kBlock / (std::max(height, kFewestRows) * depth);
    const Index most = std::clamp(worth, kFewestColumns, kProductBlockColumns);
    // As many for each thread, of about the same width.
    const Index across = pieces(pieces(out.columns, most), mostThreads()) * mostThreads();
    const Index width = pieces(pieces(out.columns, across), kernel.columns) * kernel.columns;
    // Those that read the same columns of b, the larger matrix, come one after the other.
    const Index down = pieces(out.rows, height);
    inParallel(down * pieces(out.columns, width), [&](Index block, Index) {
        const Index row = block % down * height, column = block / down * width;
        const Index rows = std::min(height, out.rows - row);
        const Index columns = std::min(width, out.columns - column);
        productBlock(kernel, a.rowBlock(row, rows), b.columnBlock(column, columns), accumulate,
                     {out.data + row * out.stride + column, rows, columns, out.stride}, stop);
    });
}

} // namespace headlight::core
