// The innermost loops of every matrix product, once for each kind of vector instructions.
//
// An element is 0 + a₀·b₀ + a₁·b₁ + … from front to back, whatever stands beside it. Nothing else
// sums up products, and so they are the same to the last bit however the work is divided. Where the
// processor can multiply and add with one rounding (FMA), it does: all such processors give the
// same bits. The others round twice.
#pragma once

#include "core/tensor/accumulate.h"

#include <cstdint>
#include <span>

namespace headlight::core {

/// What a tile does for the next ones while it multiplies.
struct PrefetchHints {
    /// So many rows, `aheadStride` apart and each as wide as a tile, are fetched into the cache.
    const float *ahead = nullptr;
    std::int64_t aheadStride = 0;
    std::int64_t aheadRows = 0; ///< at most the depth
    /// Where b is copied to, without gaps; null: nowhere.
    float *copy = nullptr;
};

/// A tile of the result, whose sums all fit into registers: out[r, c] = Σ_k a[r, k] · b[k, c], or
/// that is added to it. Row r of each matrix starts at r · stride.
using TileProduct = void (*)(const float *a, std::int64_t aStride, const float *b,
                             std::int64_t bStride, std::int64_t depth, float *out,
                             std::int64_t outStride, Accumulate accumulate,
                             const PrefetchHints &errands);

/// The products of a row with kDotProducts rows of b: sums[c] = 0 + a[0] · b[c, 0] + a[1] · b[c, 1]
/// + ….
using DotProducts = void (*)(const float *a, const float *b, std::int64_t bStride,
                             std::int64_t depth, float *sums);
constexpr std::int64_t kDotProducts = 16;

struct ProductKernel {
    const char *name;         ///< Of the vector instructions.
    std::int64_t rows;        ///< Of the largest tile, at most kMostTileRows.
    std::int64_t columns;     ///< Of every tile, at most kMostTileColumns.
    const TileProduct *tiles; ///< tiles[r - 1] has r rows.
    DotProducts dotProducts;  ///< null: packing b is as fast
};

constexpr std::int64_t kMostTileRows = 12;
constexpr std::int64_t kMostTileColumns = 32;

/// Those that this processor can run, the fastest last.
std::span<const ProductKernel *const> productKernels();

extern const ProductKernel kPortableProduct;
#ifdef __x86_64__
extern const ProductKernel kAvx2Product;
extern const ProductKernel kAvx512Product;
#endif

} // namespace headlight::core
