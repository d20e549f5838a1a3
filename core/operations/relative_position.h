// Relative positions in buckets, as T5 adds them to its scores (Raffel et al. 2020, section 2.1).
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

struct RelativeConfig {
    Index buckets = 32;          ///< even where the attention goes both ways
    Index maximumDistance = 128; ///< farther tokens share the last bucket
    bool operator==(const RelativeConfig &) const = default;
};

/// The bucket of a key that is `distance` = key − query tokens away, 0 … buckets − 1. Near tokens
/// have a bucket each, farther ones share logarithmically larger ones, as in mesh-tensorflow's
/// transformer_layers.py (in 32-bit floats, whose rounding the models were trained with). Both
/// ways: keys after the query have the upper half of the buckets. One way: keys after the query
/// count as 0 away. buckets ≥ 1, maximumDistance ≥ 1.
Index relativeBucket(Index distance, const RelativeConfig &config, bool bothWays);

/// out[i, j] = table[relativeBucket(j − first − i), head], for a table [buckets, H] and out [T, S]:
/// of the queries from `first` on.
void relativeBias(MatrixView table, const RelativeConfig &config, bool bothWays, Index head,
                  MutableMatrixView out, Index first = 0);

/// Added to the head's column of the table's gradient [buckets, H]; that of the queries from
/// `first` on.
void relativeBiasBackward(MatrixView outGradient, const RelativeConfig &config, bool bothWays,
                          Index head, MutableMatrixView tableGradient, Index first = 0);

} // namespace headlight::core
