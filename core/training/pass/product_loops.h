// Small matrix products for training, written once for all vector instructions (see vectors.h for
// what that forbids). What is multiplied is never rearranged first: a number of a is spread over a
// vector, so any strides do, and rows of b are read as they stand. That is what makes these faster
// than core/tensor/product.h where a whole product takes a few microseconds.
#pragma once

#include "core/operations/vectors.h"
#include "core/training/pass/kernels.h"

namespace headlight::core {

namespace {

constexpr int kTileRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 5;
constexpr int kTileVectors = 2;

/// Where the numbers of a tile's rows stand in a column of a. Three rows share a pointer: a
/// compiler that kept one for each would run out of registers.
template <int kRows>
struct RowOffsets {
    const float *rows[(kRows + 2) / 3];
    std::int64_t stride;

    RowOffsets(const float *a, std::int64_t rowStride) : stride(rowStride) {
        for (int i = 0; i < (kRows + 2) / 3; ++i)
            rows[i] = a + 3 * i * rowStride;
    }
    void next(std::int64_t) {
#pragma GCC unroll 16
        for (const float *&row : rows)
            ++row;
        asm("" : "+r"(stride));
    }
    float operator[](int row) const {
        return rows[row / 3][row % 3 * stride];
    }
};

/// The same of aᵀ: they stand beside each other.
template <int kRows>
struct ColumnOffsets {
    const float *column;

    ColumnOffsets(const float *a, std::int64_t) : column(a) {}
    void next(std::int64_t depthStride) { column += depthStride; }
    float operator[](int row) const { return column[row]; }
};

/// kRows rows and kVectors vectors of columns, whose sums all fit into registers.
template <int kRows, int kVectors, template <int> class Places>
void productTile(const SmallProduct &p, const float *a, const float *b, const float *bias,
                 float *out) {
    Vector sums[kRows][kVectors];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            sums[r][v] = p.accumulate == Accumulate::Add ? load(out + r * p.outStride + v * kLanes)
                         : bias                          ? load(bias + v * kLanes)
                                                         : all(0);
    Places<kRows> places(a, p.aRowStride);
#pragma GCC unroll 2
    for (std::int64_t k = 0; k < p.depth; ++k) {
        Vector row[kVectors];
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            row[v] = load(b + v * kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
            const Vector factor = all(places[r]);
#pragma GCC unroll 4
            for (int v = 0; v < kVectors; ++v)
                sums[r][v] += factor * row[v];
        }
        b += p.bStride;
        places.next(p.aDepthStride);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            store(out + r * p.outStride + v * kLanes, sums[r][v]);
}

using Tile = void (*)(const SmallProduct &, const float *, const float *, const float *, float *);

template <int kVectors, template <int> class Places, int... kRows>
struct TileTable {
    static constexpr Tile tiles[] = {productTile<kRows, kVectors, Places>...};
};
template <int kVectors, template <int> class Places>
constexpr const Tile *tilesOf() {
    if constexpr (kTileRows == 12)
        return TileTable<kVectors, Places, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12>::tiles;
    else if constexpr (kTileRows == 6)
        return TileTable<kVectors, Places, 1, 2, 3, 4, 5, 6>::tiles;
    else
        return TileTable<kVectors, Places, 1, 2, 3, 4, 5>::tiles;
}

/// Blocks of rows that are as high as each other, and one higher or less: a low one at the end
/// would wait for its own sums.
void smallProduct(const SmallProduct &p) {
    if (p.rows == 0 || p.columns == 0)
        return;
    const bool byColumn = p.aRowStride == 1 && p.aDepthStride != 1;
    const std::int64_t blocks = (p.rows + kTileRows - 1) / kTileRows;
    const std::int64_t height = p.rows / blocks, higher = p.rows % blocks;
    for (std::int64_t column = 0; column < p.columns;) {
        const bool two = column + 2 * kLanes <= p.columns;
        const Tile *tiles =
            two ? (byColumn ? tilesOf<2, ColumnOffsets>() : tilesOf<2, RowOffsets>())
                : (byColumn ? tilesOf<1, ColumnOffsets>() : tilesOf<1, RowOffsets>());
        const float *bias = p.bias ? p.bias + column : nullptr;
        std::int64_t row = 0;
        for (std::int64_t block = 0; block < blocks; ++block) {
            const std::int64_t rows = height + (block < higher ? 1 : 0);
            tiles[rows - 1](p, p.a + row * p.aRowStride, p.b + column, bias,
                            p.out + row * p.outStride + column);
            row += rows;
        }
        column += two ? 2 * kLanes : kLanes;
    }
}

} // namespace

} // namespace headlight::core
