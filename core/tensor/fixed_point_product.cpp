#include "core/tensor/fixed_point_product.h"

#include "core/tensor/encoded_panel.h"
#include "core/tensor/in_parallel.h"

#include <algorithm>
#include <array>

namespace headlight::core {

namespace {

/// Minimum number of conversions that justifies waking another thread.
constexpr Index kConvertedByOne = Index(1) << 16;
static_assert(kFixedSlice == kProductDepth); // so all products can be split at the same positions

/// Multiplies at most kFixedRows rows, kEncodedDots columns at a time.
void multiplyRows(FixedDots dots, const FixedPointRows &rows, Index first, const Factor &b,
                  Accumulate accumulate, MutableMatrixView out, const std::stop_token &stop) {
    std::array<float, kEncodedDots * kFixedRows> sums;
    const Index depth = b.matrix.columns;
    for (Index c = 0; c < out.columns && !stop.stop_requested(); c += kEncodedDots) {
        std::array<EncodedLines, kEncodedGroups> groups;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const Index line = c + static_cast<Index>(i) * kEncodedLines;
            groups[i] = encodedLines(b, line, encodedAhead(b, line + kEncodedDots, kEncodedLines));
        }
        const Index columns = std::min(kEncodedDots, out.columns - c);
        const bool isWhole = columns == kEncodedDots;
        for (Index k = 0; k < depth; k += kFixedSlice) {
            const Index count = std::min(kFixedSlice, depth - k);
            const Accumulate into = k > 0 ? Accumulate::Add : accumulate;
            dots(groups.data(), count, rows.row(first) + k / kFixedSlice, rows.slicesPerRow(),
                 out.rows, isWhole ? out.data + c : sums.data(),
                 isWhole ? out.stride : kEncodedDots, isWhole ? into : Accumulate::Replace);
            for (EncodedLines &lines : groups)
                skipNumbers(*b.encoded->encoding, count, lines);
            for (Index r = 0; r < out.rows && !isWhole; ++r)
                for (Index i = 0; i < columns; ++i) {
                    float &to = out(r, c + i);
                    const float sum = sums[static_cast<std::size_t>(r * kEncodedDots + i)];
                    to = into == Accumulate::Add ? to + sum : sum;
                }
        }
    }
}

} // namespace

FixedDots fixedDotsOf(const ProductKernel &kernel, const Factor &b) {
    if (!kernel.fixedPoint || !b.encoded || !b.transposed ||
        b.encoded->encoding->kernel == Encoding::Other)
        return nullptr;
    return kernel.fixedPoint->dots[static_cast<int>(b.encoded->encoding->kernel)];
}

FixedPointRows::FixedPointRows(const FixedPointKernel &kernel, MatrixView a)
    : m_slicesPerRow((a.columns + kFixedSlice - 1) / kFixedSlice),
      m_slices(static_cast<std::size_t>(a.rows * m_slicesPerRow)),
      m_isFixed(static_cast<std::size_t>(a.rows)) {
    const Index height = std::max(Index(1), kConvertedByOne / a.columns);
    const auto convert = [&](Index item, Index) {
        for (Index r = item * height; r < std::min(a.rows, (item + 1) * height); ++r) {
            FixedSlice *to = m_slices.data() + static_cast<std::size_t>(r * m_slicesPerRow);
            bool isFixed = true;
            for (Index k = 0; k < a.columns && isFixed; k += kFixedSlice)
                isFixed = kernel.from(a.data + r * a.stride + k,
                                      std::min(kFixedSlice, a.columns - k), *to++);
            m_isFixed[static_cast<std::size_t>(r)] = isFixed ? 1 : 0;
        }
    };
    if (a.rows <= height)
        convert(0, 0);
    else
        inParallel((a.rows + height - 1) / height, convert);
}

void fixedPointProduct(const ProductKernel &kernel, MatrixView a, const FixedPointRows &rows,
                       Index firstRow, const Factor &b, Accumulate accumulate,
                       MutableMatrixView out, const std::stop_token &stop) {
    const FixedDots dots = fixedDotsOf(kernel, b);
    for (Index r = 0; r < out.rows;) {
        const bool isFixed = rows.isFixed(firstRow + r);
        Index count = 1;
        while (isFixed && r + count < out.rows && count < kFixedRows &&
               rows.isFixed(firstRow + r + count))
            ++count;
        const MutableMatrixView some = out.rowBlock(r, count);
        if (isFixed)
            multiplyRows(dots, rows, firstRow + r, b, accumulate, some, stop);
        else
            productBlock(kernel, {a.rowBlock(r, count)}, b, accumulate, some, stop);
        r += count;
    }
}

} // namespace headlight::core
