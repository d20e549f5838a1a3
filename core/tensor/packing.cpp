#include "core/tensor/packing.h"

#include <algorithm>

namespace headlight::core {

namespace {

// Vector types that every 64-bit processor supports.
typedef float Four __attribute__((vector_size(16)));
typedef float UnalignedFour __attribute__((vector_size(16), aligned(4), may_alias));

Four load(const float *from) {
    return *reinterpret_cast<const UnalignedFour *>(from);
}
void store(float *to, Four four) {
    *reinterpret_cast<UnalignedFour *>(to) = four;
}

void transposeFour(const float *from, Index fromStride, float *to, Index toStride) {
    const Four a = load(from), b = load(from + fromStride);
    const Four c = load(from + 2 * fromStride), d = load(from + 3 * fromStride);
    const Four abLow = __builtin_shufflevector(a, b, 0, 4, 1, 5);
    const Four cdLow = __builtin_shufflevector(c, d, 0, 4, 1, 5);
    const Four abHigh = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four cdHigh = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store(to, __builtin_shufflevector(abLow, cdLow, 0, 1, 4, 5));
    store(to + toStride, __builtin_shufflevector(abLow, cdLow, 2, 3, 6, 7));
    store(to + 2 * toStride, __builtin_shufflevector(abHigh, cdHigh, 0, 1, 4, 5));
    store(to + 3 * toStride, __builtin_shufflevector(abHigh, cdHigh, 2, 3, 6, 7));
}

} // namespace

void transpose(MatrixView from, Index rows, float *to, Index toStride) {
    Index r = 0;
    for (; r + 4 <= rows; r += 4) {
        const float *const source = from.data + r * from.stride;
        const Index nextRows = std::clamp(from.rows - (r + 4), Index(0), Index(4));
        Index c = 0;
        for (; c + 4 <= from.columns; c += 4) {
            // Prefetches the next rows, whose address the hardware prefetcher cannot predict.
            if (c % 16 == 0)
                for (Index i = 0; i < nextRows; ++i)
                    __builtin_prefetch(source + (4 + i) * from.stride + c);
            transposeFour(source + c, from.stride, to + c * toStride + r, toStride);
        }
        for (; c < from.columns; ++c)
            for (Index i = 0; i < 4; ++i)
                to[c * toStride + r + i] = from(r + i, c);
    }
    for (; r < rows; ++r)
        for (Index c = 0; c < from.columns; ++c)
            to[c * toStride + r] = from(r, c);
}

void packPanel(MatrixView from, Index width, float *to) {
    for (Index r = 0; r < from.rows; ++r, to += width)
        std::fill(std::ranges::copy(from.row(r), to).out, to + width, 0.0f);
}

void packTransposedPanel(MatrixView from, Index columns, Index width, float *to) {
    transpose(from, columns, to, width);
    for (Index r = 0; r < from.columns; ++r)
        std::fill(to + r * width + columns, to + (r + 1) * width, 0.0f);
}

} // namespace headlight::core
