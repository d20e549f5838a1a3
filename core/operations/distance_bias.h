// Terms that are added to scores, depending on the distance of the two tokens: ALiBi (Press, Smith
// and Lewis 2022) and T5's relative positions (Raffel et al. 2020, section 2.1).
#pragma once

#include "core/tensor/matrix.h"

#include <variant>
#include <vector>

namespace headlight::core {

struct RelativeConfig {
    Index buckets = 32;          ///< an even number if attention is bidirectional
    Index maximumDistance = 128; ///< larger distances share the last bucket
    bool operator==(const RelativeConfig &) const = default;
};

struct DistanceBias {
    /// −slope · |i − j|
    struct Alibi {
        std::vector<float> slopes; ///< [H]
        bool operator==(const Alibi &) const = default;
    };
    /// A learned value for each bucket of distances and each head, from a table [buckets, H].
    struct Relative {
        RelativeConfig config;
        bool bothWays = true;
        bool operator==(const Relative &) const = default;
    };
    std::variant<Alibi, Relative> by;
    bool operator==(const DistanceBias &) const = default;
};

/// Returns the slopes of `heads` ≥ 1 heads: 2^(−8/H), 2^(−16/H), …, 2^−8 if H is a power of two
/// (section 3). Otherwise the slopes for the largest power n below H, followed by every second
/// slope for 2n, as in the authors' code.
std::vector<float> alibiSlopes(Index heads);

/// Returns the bucket, 0 … buckets − 1, of a key at `distance` = key − query. Small distances have
/// their own buckets; larger ones share buckets of logarithmically increasing size. As in
/// mesh-tensorflow's transformer_layers.py, the logarithm is computed with 32-bit floats, because
/// models were trained with that rounding. If `bothWays`, keys after the query use the upper half
/// of the buckets; otherwise they count as distance 0. buckets ≥ 1, maximumDistance ≥ 1.
Index relativeBucket(Index distance, const RelativeConfig &config, bool bothWays);

/// Writes the bias of one head, [T, S]. Row i belongs to query first + i. `column`: the head's
/// column of the table, [buckets, 1]; empty for ALiBi.
void distanceBias(const DistanceBias &of, Index head, MatrixView column, MutableMatrixView out,
                  Index first = 0);

/// Adds to the gradient of the head's column of the table, which ALiBi does not have. Row i of
/// outGradient belongs to query first + i.
void distanceBiasBackward(const DistanceBias &of, MatrixView outGradient,
                          MutableMatrixView columnGradient, Index first = 0);

} // namespace headlight::core
