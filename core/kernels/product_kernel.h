// Innermost loops of all matrix products, one set per instruction set.
//
// An element is 0 + a₀·b₀ + a₁·b₁ + … in order. Only these kernels sum products, so results are the
// same bit for bit however the work is divided. With FMA a multiply-add rounds once, and all such
// processors give the same bits; others round twice.
#pragma once

#include "core/kernels/accumulate.h"
#include "core/kernels/encoded_kernel.h"

#include <cstdint>

namespace headlight::core {

/// Memory work that a tile does for the next tiles while it multiplies.
struct PrefetchHints {
    /// Rows to prefetch, `aheadStride` apart and each as wide as a tile.
    const float *ahead = nullptr;
    std::int64_t aheadStride = 0;
    std::int64_t aheadRows = 0; ///< at most the depth
    /// Destination for a copy of b without gaps; null: no copy.
    float *copy = nullptr;
};

/// Computes a tile of the result in registers: out[r, c] = Σ_k a[r, k] · b[k, c], or adds it to
/// out. Row r of each matrix starts at r · stride.
using TileProduct = void (*)(const float *a, std::int64_t aStride, const float *b,
                             std::int64_t bStride, std::int64_t depth, float *out,
                             std::int64_t outStride, Accumulate accumulate,
                             const PrefetchHints &hints);

/// Products of a row with kDotProducts rows of b: sums[c] = 0 + a[0] · b[c, 0] + a[1] · b[c, 1] +
/// ….
using DotProducts = void (*)(const float *a, const float *b, std::int64_t bStride,
                             std::int64_t depth, float *sums);
constexpr std::int64_t kDotProducts = 16;

struct ProductKernel {
    std::int64_t rows;            ///< rows of the largest tile, at most kMaxTileRows
    std::int64_t columns;         ///< columns of every tile, at most kMaxTileColumns
    const TileProduct *tiles;     ///< tiles[r - 1] has r rows
    DotProducts dotProducts;      ///< null: packing b is as fast
    const EncodedKernel *encoded; ///< indexed by Encoding; null: decode line by line
};

constexpr std::int64_t kMaxTileRows = 12;
constexpr std::int64_t kMaxTileColumns = 32;

} // namespace headlight::core
