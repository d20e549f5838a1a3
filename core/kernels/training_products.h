// Small matrix products for training, written once for all instruction sets (see vectors.h for the
// restrictions). Operands are not packed: numbers of `a` are broadcast, so any strides work, and
// rows of `b` are read in place. This is faster than core/tensor/product.h if a whole product takes
// only a few microseconds.
#pragma once

#include "core/kernels/training_kernels.h"
#include "core/kernels/vectors.h"

namespace headlight::core {

namespace {

constexpr int kTileRows = kLanes == 16 ? 12 : kLanes == 8 ? 6 : 5;
constexpr int kTileVectors = 2;

/// Pointers to one number in each row of a tile, in a column of `a`. Three rows share a pointer,
/// because compilers run out of registers with one per row.
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

/// Like RowOffsets, but for a transposed `a`, where the numbers of a column are adjacent.
template <int kRows>
struct ColumnOffsets {
    const float *column;

    ColumnOffsets(const float *a, std::int64_t) : column(a) {}
    void next(std::int64_t depthStride) { column += depthStride; }
    float operator[](int row) const { return column[row]; }
};

/// Computes a tile of kRows rows and kVectors vectors of columns, whose sums fit into registers.
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

/// Splits the rows into blocks whose heights differ by at most one, because a small last block
/// would be slow. Its few sums would wait for each other.
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
