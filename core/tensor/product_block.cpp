#include "core/tensor/product_block.h"

#include "core/tensor/encoded_panel.h"
#include "core/tensor/packing.h"

#include <algorithm>
#include <array>
#include <vector>

namespace headlight::core {

namespace {

/// Up to this many rows, each number of b is used too rarely to make packing worthwhile.
constexpr Index kFewRows = 2;
static_assert(kFewRows <= kEncodedDotRows);

/// Up to this many rows of `a` stay in the L2 cache at their full depth.
constexpr Index kRowsInCache = 32;

constexpr Index kLine = 16; // numbers per cache line
struct alignas(64) CacheLine {
    std::array<float, kLine> numbers;
};

/// Returns this thread's buffer. It is kept until the thread ends, because there are many small
/// products.
float *workspace(Index size) {
    thread_local std::vector<CacheLine> lines;
    const auto count = static_cast<std::size_t>(size / kLine + 1);
    if (lines.size() < count)
        lines.resize(count);
    return lines.front().numbers.data();
}

/// Columns of b, at most the width of a tile, and the rows to prefetch after them.
struct Panel {
    MatrixView matrix;
    MatrixView ahead;
};

/// Multiplies all rows of `a` with the panel. If the panel has gaps, the first tile copies it to
/// `buffer`.
void panelProduct(const ProductKernel &kernel, MatrixView a, const Panel &b, float *buffer,
                  Accumulate accumulate, MutableMatrixView out) {
    std::array<float, kMaxTileRows * kMaxTileColumns> sums;
    const bool whole = out.columns == kernel.columns;
    const float *panel = b.matrix.data;
    Index stride = b.matrix.stride;
    // Tiles of about the same height, because the few sums of a short tile wait for each other.
    const Index tiles = (a.rows + kernel.rows - 1) / kernel.rows;
    const Index height = (a.rows + tiles - 1) / tiles;
    for (Index r = 0; r < a.rows; r += height) {
        const Index end = std::min(r + height, a.rows), rows = end - r;
        // Each tile prefetches its share of the next panel.
        const Index first = b.ahead.rows * r / a.rows;
        const PrefetchHints hints{b.ahead.data + first * b.ahead.stride, b.ahead.stride,
                                  std::min(b.ahead.rows * end / a.rows - first, a.columns),
                                  stride > kernel.columns && end < a.rows ? buffer : nullptr};
        float *const to = out.data + r * out.stride;
        kernel.tiles[rows - 1](a.data + r * a.stride, a.stride, panel, stride, a.columns,
                               whole ? to : sums.data(), whole ? out.stride : kernel.columns,
                               whole ? accumulate : Accumulate::Replace, hints);
        if (hints.copy) {
            panel = buffer;
            stride = kernel.columns;
        }
        for (Index row = 0; row < rows && !whole; ++row)
            for (Index c = 0; c < out.columns; ++c) {
                float &number = to[row * out.stride + c];
                const float sum = sums[static_cast<std::size_t>(row * kernel.columns + c)];
                number = accumulate == Accumulate::Add ? number + sum : sum;
            }
    }
}

/// The loops of Goto and van de Geijn: a panel of b stays in the L1 cache while the rows of `a` are
/// read from L2. Uses only as many columns of b as `out` has.
void panelProducts(const ProductKernel &kernel, const Factor &a, const Factor &b,
                   Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    const Index width = kernel.columns;
    const Index maxDepth = std::min(kProductDepth, a.columns());
    const Index turnedSize = a.transposed ? out.rows * maxDepth : 0;
    float *const buffer = workspace(width * maxDepth + turnedSize);
    float *const turned = buffer + width * maxDepth;
    for (Index k = 0; k < a.columns(); k += kProductDepth) {
        const Index depth = std::min(kProductDepth, a.columns() - k);
        MatrixView left = a.columnBlock(k, depth).rowBlock(0, out.rows).matrix;
        if (a.transposed) {
            transpose(left, depth, turned, depth);
            left = {turned, out.rows, depth, depth};
        }
        const MatrixView piece = b.rowBlock(k, depth).matrix;
        for (Index c = 0; c < out.columns && !stop.stop_requested(); c += width) {
            const Index columns = std::min(width, out.columns - c);
            Panel panel{{buffer, depth, width, width}, {}};
            if (b.transposed) {
                packTransposedPanel(piece.rowBlock(c, piece.rows - c), columns, width, buffer);
            } else {
                const MatrixView from = piece.columnBlock(c, columns);
                if (columns == width)
                    panel.matrix = from;
                else
                    packPanel(from, width, buffer);
                if (c + width < out.columns)
                    panel.ahead = {from.data + width, depth, width, from.stride};
                else if (const Index next = std::min(kProductDepth, a.columns() - k - depth))
                    panel.ahead = {piece.data + depth * piece.stride, next, width, piece.stride};
            }
            panelProduct(kernel, left, panel, buffer, k > 0 ? Accumulate::Add : accumulate,
                         {out.data + c, out.rows, columns, out.stride});
        }
    }
}

/// Like panelProducts(), but for an encoded b, which is decoded panel by panel.
void encodedPanelProducts(const ProductKernel &kernel, MatrixView a, const Factor &b,
                          Accumulate accumulate, MutableMatrixView out,
                          const std::stop_token &stop) {
    const Index width = kernel.columns, most = std::min(kProductDepth, a.columns);
    float *const panel = workspace(2 * width * most), *const spare = panel + width * most;
    const Index rowBytes = width * Index(sizeof(float));
    // If true, reads each line from start to end, so that the next lines can be prefetched.
    const bool readsLines = b.transposed && out.rows <= kRowsInCache;
    const auto multiplyBy = [&](Index k, Index c) {
        const Index depth = std::min(kProductDepth, a.columns - k);
        const Index columns = std::min(width, out.columns - c);
        const Factor piece = b.rowBlock(k, depth).columnBlock(c, columns);
        decodePanel(kernel, piece, spare, panel);
        Panel decoded{{panel, depth, width, width}, {}};
        if (const auto *ahead = readsLines ? encodedAhead(piece, width, width) : nullptr)
            decoded.ahead = {reinterpret_cast<const float *>(ahead),
                             b.encoded->encoding->bytesOf(width * depth) / rowBytes, width, width};
        panelProduct(kernel, a.columnBlock(k, depth), decoded, panel,
                     k > 0 ? Accumulate::Add : accumulate,
                     {out.data + c, out.rows, columns, out.stride});
    };
    if (readsLines) {
        for (Index c = 0; c < out.columns && !stop.stop_requested(); c += width)
            for (Index k = 0; k < a.columns; k += kProductDepth)
                multiplyBy(k, c);
    } else {
        for (Index k = 0; k < a.columns; k += kProductDepth)
            for (Index c = 0; c < out.columns && !stop.stop_requested(); c += width)
                multiplyBy(k, c);
    }
}

/// Multiplies with kEncodedDots rows of a transposed b at a time, decoding them in registers.
void encodedDotProduct(const EncodedKernel &kernel, MatrixView a, const Factor &b,
                       Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    std::array<float, kEncodedDots * kEncodedDotRows> sums;
    for (Index c = 0; c < out.columns && !stop.stop_requested(); c += kEncodedDots) {
        std::array<EncodedLines, kEncodedGroups> groups;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const Index line = c + static_cast<Index>(i) * kEncodedLines;
            groups[i] = encodedLines(b, line, encodedAhead(b, line + kEncodedDots, kEncodedLines));
        }
        for (Index first = 0; first < a.columns; first += kProductDepth) {
            const Index depth = std::min(kProductDepth, a.columns - first);
            const bool add = accumulate == Accumulate::Add || first > 0;
            kernel.dots[out.rows - 1](groups.data(), depth, a.data + first, a.stride, sums.data());
            for (EncodedLines &lines : groups)
                skipNumbers(*b.encoded->encoding, depth, lines);
            for (Index r = 0; r < out.rows; ++r)
                for (Index i = 0; i < kEncodedDots; ++i) {
                    float &to = out(r, c + i);
                    const float sum = sums[static_cast<std::size_t>(r * kEncodedDots + i)];
                    to = add ? to + sum : sum;
                }
        }
    }
}

/// Multiplies with lines that are rows of b: adds each line, times its factor, to the sums, which
/// stay in the L1 cache. Lines are therefore read in long runs, not a few numbers of each at a
/// time.
void encodedRowProduct(const EncodedKernel &kernel, MatrixView a, const Factor &b,
                       Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    std::array<float, kEncodedDotRows * kProductBlockColumns> sums;
    const Index size = b.encoded->encoding->bytes;
    for (Index c = 0; c < out.columns; c += kProductBlockColumns) {
        const Index columns = std::min(kProductBlockColumns, out.columns - c);
        for (Index first = 0; first < a.columns && !stop.stop_requested(); first += kProductDepth) {
            const Index end = std::min(first + kProductDepth, a.columns);
            std::ranges::fill(sums, 0.0f);
            for (Index k = first; k < end;) {
                const Index count = end - k < kEncodedSumLines ? 1 : kEncodedSumLines;
                EncodedRows lines{};
                for (Index i = 0; i < count; ++i)
                    lines.lines[i] = reinterpret_cast<const std::uint8_t *>(
                        b.encoded->line(b.line + k + i) + size * (b.number + c));
                lines.ahead = count * b.encoded->stride;
                (count == 1 ? kernel.lastSums : kernel.sums)[out.rows - 1](
                    lines, columns, a.data + k, a.stride, sums.data(), kProductBlockColumns);
                k += count;
            }
            const bool add = accumulate == Accumulate::Add || first > 0;
            for (Index r = 0; r < out.rows; ++r)
                for (Index i = 0; i < columns; ++i) {
                    float &to = out(r, c + i);
                    const float sum = sums[static_cast<std::size_t>(r * kProductBlockColumns + i)];
                    to = add ? to + sum : sum;
                }
        }
    }
}

/// Multiplies with kDotProducts rows of a transposed b at a time, reading them in place.
void dotProduct(const ProductKernel &kernel, MatrixView a, const Factor &rows,
                Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    if (rows.encoded)
        return encodedDotProduct(*encodedKernel(kernel, rows), a, rows, accumulate, out, stop);
    const MatrixView b = rows.matrix;
    std::array<float, kDotProducts> sums;
    for (Index c = 0; c < out.columns && !stop.stop_requested(); c += kDotProducts)
        for (Index first = 0; first < a.columns; first += kProductDepth) {
            const Index depth = std::min(kProductDepth, a.columns - first);
            const bool add = accumulate == Accumulate::Add || first > 0;
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

void productBlock(const ProductKernel &kernel, const Factor &a, const Factor &b,
                  Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    const EncodedKernel *const encoded = b.encoded ? encodedKernel(kernel, b) : nullptr;
    if (encoded && encoded->run && !b.transposed && out.rows <= kFewRows)
        return encodedRowProduct(*encoded, a.matrix, b, accumulate, out, stop);
    Index read = 0; // number of finished columns of b
    const bool hasDots = b.encoded ? encoded != nullptr : kernel.dotProducts != nullptr;
    if (hasDots && !a.transposed && b.transposed && out.rows <= kFewRows) {
        const Index together = b.encoded ? kEncodedDots : kDotProducts;
        read = out.columns / together * together;
        dotProduct(kernel, a.matrix, b.columnBlock(0, read), accumulate, out.columnBlock(0, read),
                   stop);
    }
    const Index rest = out.columns - read;
    if (rest > 0 && b.encoded)
        encodedPanelProducts(kernel, a.matrix, b.columnBlock(read, rest), accumulate,
                             out.columnBlock(read, rest), stop);
    else if (rest > 0)
        panelProducts(kernel, a, b.columnBlock(read, rest), accumulate, out.columnBlock(read, rest),
                      stop);
}

} // namespace headlight::core
