#include "core/tensor/product_block.h"

#include "core/tensor/packing.h"

#include <algorithm>
#include <array>
#include <vector>

namespace headlight::core {

namespace {

/// Rows of `a` that stay in the second cache of a processor.
constexpr Index kRows = 96;
/// Numbers of b that stay in the first cache.
constexpr Index kFirstCache = 8192;
/// Of so few rows each number of b is used so rarely that packing it would take longer.
constexpr Index kFewRows = 24;
/// The same where b is transposed.
constexpr Index kFewDotRows = 2;

struct alignas(64) CacheLine {
    std::array<float, 16> numbers;
};

/// Kept by the thread until it ends: most products are small and many.
float *workspace(Index size) {
    thread_local std::vector<CacheLine> lines;
    const auto count = static_cast<std::size_t>(size / 16 + 1);
    if (lines.size() < count)
        lines.resize(count);
    return lines.front().numbers.data();
}

/// One panel of b with all rows of a.
void panelProduct(const ProductKernel &kernel, MatrixView a, const float *panel, Into into,
                  MutableMatrixView out) {
    std::array<float, kMostTileRows * kMostTileColumns> sums;
    const bool whole = out.columns == kernel.columns;
    for (Index r = 0; r < a.rows; r += kernel.rows) {
        const Index rows = std::min(kernel.rows, a.rows - r);
        const TileProduct tile = kernel.tiles[rows - 1];
        const float *const from = a.data + r * a.stride;
        if (whole) {
            tile(from, a.stride, panel, kernel.columns, a.columns, out.data + r * out.stride,
                 out.stride, into, nullptr);
            continue;
        }
        tile(from, a.stride, panel, kernel.columns, a.columns, sums.data(), kernel.columns,
             Into::Replace, nullptr);
        for (Index i = 0; i < rows; ++i)
            for (Index c = 0; c < out.columns; ++c) {
                float &to = out(r + i, c);
                const float sum = sums[static_cast<std::size_t>(i * kernel.columns + c)];
                to = into == Into::Add ? to + sum : sum;
            }
    }
}

/// The loops of Goto and van de Geijn: a piece of b is packed into panels, and each of them stays
/// in the first cache while the rows of a go by. Takes as many columns of b as `out` has.
void packedProduct(const ProductKernel &kernel, const Factor &a, const Factor &b, Into into,
                   MutableMatrixView out, const std::stop_token &stop) {
    const Index width = kernel.columns;
    const Index mostDepth = std::min(kProductDepth, a.columns());
    const Index turnedSize = a.transposed ? std::min(kRows, out.rows) * mostDepth : 0;
    float *const turned = workspace(turnedSize + (out.columns + width - 1) * mostDepth);
    float *const panels = turned + turnedSize;
    for (Index k = 0; k < a.columns() && !stop.stop_requested(); k += kProductDepth) {
        const Index depth = std::min(kProductDepth, a.columns() - k);
        const MatrixView piece = b.rowBlock(k, depth).matrix;
        (b.transposed ? packTransposedPanels : packPanels)(piece, out.columns, width, panels);
        for (Index r = 0; r < out.rows && !stop.stop_requested(); r += kRows) {
            const Index rows = std::min(kRows, out.rows - r);
            MatrixView left = a.columnBlock(k, depth).rowBlock(r, rows).matrix;
            if (a.transposed) {
                transpose(left, depth, turned, depth);
                left = {turned, rows, depth, depth};
            }
            for (Index c = 0; c < out.columns; c += width)
                panelProduct(kernel, left, panels + c * depth, k > 0 ? Into::Add : into,
                             {out.data + r * out.stride + c, rows, std::min(width, out.columns - c),
                              out.stride});
        }
    }
}

/// Reads the columns of b where they stand, a tile's at a time. They lie in as many places as b has
/// rows, which a processor does not foresee: the first rows of a fetch those of the next tile.
void fewRowsProduct(const ProductKernel &kernel, MatrixView a, MatrixView b, Into into,
                    MutableMatrixView out, const std::stop_token &stop) {
    for (Index k = 0; k < a.columns && !stop.stop_requested(); k += kProductDepth) {
        const Index depth = std::min(kProductDepth, a.columns - k);
        for (Index c = 0; c < out.columns; c += kernel.columns) {
            const float *const from = b.data + k * b.stride + c;
            const float *const next =
                c + kernel.columns < out.columns ? from + kernel.columns : nullptr;
            for (Index r = 0; r < out.rows; r += kernel.rows) {
                const Index rows = std::min(kernel.rows, out.rows - r);
                kernel.tiles[rows - 1](a.data + r * a.stride + k, a.stride, from, b.stride, depth,
                                       out.data + r * out.stride + c, out.stride,
                                       k > 0 ? Into::Add : into, r == 0 ? next : nullptr);
            }
        }
    }
}

/// Reads the rows of a transposed b as they stand, kDotProducts at a time.
void dotProduct(const ProductKernel &kernel, MatrixView a, MatrixView b, Into into,
                MutableMatrixView out, const std::stop_token &stop) {
    std::array<float, kDotProducts> sums;
    for (Index c = 0; c < out.columns && !stop.stop_requested(); c += kDotProducts)
        for (Index first = 0; first < a.columns; first += kProductDepth) {
            const Index depth = std::min(kProductDepth, a.columns - first);
            const bool add = into == Into::Add || first > 0;
            for (Index r = 0; r < out.rows; ++r) {
                kernel.dotProducts(a.data + r * a.stride + first, b.data + c * b.stride + first,
                                   b.stride, depth, sums.data());
                for (std::size_t i = 0; i < sums.size(); ++i) {
                    float &to = out(r, c + static_cast<Index>(i));
                    to = add ? to + sums[i] : sums[i];
                }
            }
        }
}

} // namespace

void productBlock(const ProductKernel &kernel, const Factor &a, const Factor &b, Into into,
                  MutableMatrixView out, const std::stop_token &stop) {
    const bool fewRows = !a.transposed && !b.transposed && out.rows <= kFewRows;
    const bool fewDots =
        kernel.dotProducts && !a.transposed && b.transposed && out.rows <= kFewDotRows;
    const Index width = fewRows ? kernel.columns : fewDots ? kDotProducts : 0;
    Index group = kProductBlockColumns;
    // Of few rows a panel is used once: it need not leave the cache.
    if (b.transposed && !fewDots && out.rows <= kRows) {
        const Index panels = kFirstCache / std::min(kProductDepth, a.columns()) / kernel.columns;
        group = std::max(panels, Index(1)) * kernel.columns;
    }
    for (Index first = 0; first < out.columns; first += group) {
        const Index columns = std::min(group, out.columns - first);
        const Index asTheyStand = width > 0 ? columns / width * width : 0;
        const Index packed = first + asTheyStand;
        if (asTheyStand > 0)
            (fewRows ? fewRowsProduct : dotProduct)(kernel, a.matrix,
                                                    b.columnBlock(first, asTheyStand).matrix, into,
                                                    out.columnBlock(first, asTheyStand), stop);
        if (asTheyStand < columns)
            packedProduct(kernel, a, b.columnBlock(packed, out.columns - packed), into,
                          out.columnBlock(packed, columns - asTheyStand), stop);
    }
}

} // namespace headlight::core
