// Relative position buckets, as T5 adds them to its scores (Raffel et al. 2020, section 2.1).
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

struct RelativeConfig {
    Index buckets = 32;          ///< an even number if the attention is bidirectional
    Index maximumDistance = 128; ///< tokens farther away share the last bucket
    bool operator==(const RelativeConfig &) const = default;
};

/// Returns the bucket, 0 … buckets − 1, of a key at `distance` = key − query. Near tokens have
/// their own buckets; farther ones share logarithmically larger buckets, as in mesh-tensorflow's
/// transformer_layers.py (in 32-bit floats, because models were trained with their rounding). If
/// `bothWays`, keys after the query use the upper half of the buckets; otherwise they count as
/// distance 0. buckets ≥ 1, maximumDistance ≥ 1.
Index relativeBucket(Index distance, const RelativeConfig &config, bool bothWays);

/// out[i, j] = table[relativeBucket(j − first − i), head], for table [buckets, H] and out [T, S].
/// Row i belongs to query first + i.
void relativeBias(MatrixView table, const RelativeConfig &config, bool bothWays, Index head,
                  MutableMatrixView out, Index first = 0);

/// Adds to column `head` of tableGradient [buckets, H]. Row i of outGradient belongs to query first
/// + i.
void relativeBiasBackward(MatrixView outGradient, const RelativeConfig &config, bool bothWays,
                          Index head, MutableMatrixView tableGradient, Index first = 0);

} // namespace headlight::core
