#include "core/tensor/encoded_panel.h"

#include "core/tensor/packing.h"

#include <algorithm>

namespace headlight::core {

namespace {

const std::byte *placeIn(const Factor &b, Index line) {
    return b.encoded->line(b.line + line) + b.encoded->encoding->bytesOf(b.number);
}

const std::byte *scalesIn(const Factor &b, Index line) {
    return b.encoded->scalesOf(b.line + line) + b.number / b.encoded->encoding->values;
}

/// Decodes `count` numbers of one line.
void decodeLine(const Factor &b, Index line, Index count, float *out) {
    const NumberEncoding &encoding = *b.encoded->encoding;
    if (encoding.decodeScaled)
        encoding.decodeScaled(placeIn(b, line), scalesIn(b, line), count, out);
    else
        encoding.decode(placeIn(b, line), count, out);
}

/// Decodes lines that are columns of the panel. Kernels decode several lines together.
void decodeColumns(const ProductKernel &kernel, const Factor &b, float *spare, float *panel) {
    const Index columns = b.columns(), depth = b.matrix.columns;
    if (const EncodedKernel *const decoder = encodedKernel(kernel, b)) {
        for (Index c = 0; c < columns; c += kEncodedLines)
            decoder->panel(encodedLines(b, c), depth, panel + c, kernel.columns);
        return;
    }
    for (Index c = 0; c < columns; ++c)
        decodeLine(b, c, depth, spare + c * depth);
    packTransposedPanel({spare, columns, depth, depth}, columns, kernel.columns, panel);
}

/// Decodes lines that are rows of the panel.
void decodeRows(const ProductKernel &kernel, const Factor &b, float *panel) {
    const NumberEncoding &encoding = *b.encoded->encoding;
    const EncodedKernel *const decoder = encodedKernel(kernel, b);
    const Index columns = b.matrix.columns;
    for (Index r = 0; r < b.matrix.rows; ++r, panel += kernel.columns) {
        const std::byte *const from = placeIn(b, r);
        // Prefetches the numbers of this line for the next panel, which starts where this panel
        // ends.
        __builtin_prefetch(from + encoding.bytesOf(columns), 0, 2);
        if (decoder && decoder->run)
            decoder->run(reinterpret_cast<const std::uint8_t *>(from), columns, panel);
        else
            decodeLine(b, r, columns, panel);
        std::fill(panel + columns, panel + kernel.columns, 0.0f);
    }
}

} // namespace

const EncodedKernel *encodedKernel(const ProductKernel &kernel, const Factor &b) {
    const Encoding encoding = b.encoded->encoding->kernel;
    return kernel.encoded && encoding != Encoding::Other
               ? kernel.encoded + static_cast<int>(encoding)
               : nullptr;
}

void decodePanel(const ProductKernel &kernel, const Factor &b, float *spare, float *panel) {
    if (b.transposed)
        decodeColumns(kernel, b, spare, panel);
    else
        decodeRows(kernel, b, panel);
}

EncodedLines encodedLines(const Factor &b, Index first, const std::uint8_t *ahead) {
    const EncodedMatrix &matrix = *b.encoded;
    const Index last = b.matrix.rows - 1;
    // Computed once, because a division for each line takes half as long as the line's product.
    const Index skipped = matrix.encoding->bytesOf(b.number);
    const Index scalesSkipped = matrix.scales ? b.number / matrix.encoding->values : 0;
    EncodedLines all;
    for (Index i = 0; i < kEncodedLines; ++i) {
        const Index line = b.line + std::min(first + i, last);
        all.lines[i] = reinterpret_cast<const std::uint8_t *>(matrix.line(line) + skipped);
        all.scales[i] =
            matrix.scales
                ? reinterpret_cast<const std::uint8_t *>(matrix.scalesOf(line) + scalesSkipped)
                : nullptr;
    }
    all.ahead = ahead ? ahead : all.lines[0];
    return all;
}

void skipNumbers(const NumberEncoding &encoding, Index count, EncodedLines &lines) {
    const Index bytes = encoding.bytesOf(count);
    for (const std::uint8_t *&line : lines.lines)
        line += bytes;
    if (encoding.decodeScaled)
        for (const std::uint8_t *&scales : lines.scales)
            scales += count / encoding.values;
    lines.ahead += kEncodedLines * bytes;
}

const std::uint8_t *encodedAhead(const Factor &b, Index first, Index count) {
    const EncodedMatrix &matrix = *b.encoded;
    if (!matrix.each.empty() || b.line + first + count > matrix.lines)
        return nullptr;
    return reinterpret_cast<const std::uint8_t *>(matrix.line(b.line + first)) +
           count * matrix.encoding->bytesOf(b.number);
}

} // namespace headlight::core
