// Innermost loops of all matrix products, one set per instruction set.
//
// An element is 0 + a₀·b₀ + a₁·b₁ + … in this order. Only these kernels sum products, so results do
// not depend on how the work is divided, bit for bit. With FMA, a multiply-add rounds once, and all
// processors with FMA compute the same bits; others round twice. Products in
// fixed point (fixed_point.h) are sums of integers instead, the same on all processors.
#pragma once

#include "core/kernels/accumulate.h"
#include "core/kernels/encoded_kernel.h"
#include "core/kernels/fixed_point.h"

#include <cstdint>

namespace headlight::core {

/// Prefetching and copying for the next tiles, done while a tile is multiplied.
struct PrefetchHints {
    /// Rows to prefetch. Each is as wide as a tile; they are `aheadStride` apart.
    const float *ahead = nullptr;
    std::int64_t aheadStride = 0;
    std::int64_t aheadRows = 0; ///< at most the depth
    /// Destination for a copy of b without gaps; null: does not copy.
    float *copy = nullptr;
};

/// Computes a tile of the result in registers: out[r, c] = Σ_k a[r, k] · b[k, c], or adds this to
/// out. Row r of each matrix starts at r · stride.
using TileProduct = void (*)(const float *a, std::int64_t aStride, const float *b,
                             std::int64_t bStride, std::int64_t depth, float *out,
                             std::int64_t outStride, Accumulate accumulate,
                             const PrefetchHints &hints);

/// Multiplies a row with kDotProducts rows of b: sums[c] = 0 + a[0] · b[c, 0] + a[1] · b[c, 1] + ….
using DotProducts = void (*)(const float *a, const float *b, std::int64_t bStride,
                             std::int64_t depth, float *sums);
constexpr std::int64_t kDotProducts = 16;

struct ProductKernel {
    std::int64_t rows;                  ///< rows of the largest tile, at most kMaxTileRows
    std::int64_t columns;               ///< columns of every tile, at most kMaxTileColumns
    const TileProduct *tiles;           ///< tiles[r - 1] computes r rows
    DotProducts dotProducts;            ///< null: packing b is as fast
    const EncodedKernel *encoded;       ///< indexed by Encoding; null: lines are decoded separately
    const FixedPointKernel *fixedPoint; ///< null: all encodings are multiplied as floats
};

constexpr std::int64_t kMaxTileRows = 12;
constexpr std::int64_t kMaxTileColumns = 32;

} // namespace headlight::core
