// Pools a sequence into one vector for a classifier.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

enum class Pooling {
    First, ///< the first token, such as [CLS], which encoders such as BERT train for this
    Last,  ///< the last real token; with a causal mask, the only one that sees all tokens
    Mean,  ///< mean of all tokens that are not padding
    /// The second token, such as [DIST], which DeiT trains with the answers of another model. If
    /// there is only one token, the first.
    Second,
    /// The first token with the largest id, which is the end of a text in CLIP's vocabulary. The
    /// plan determines this token, and pool() gets the rows that start with it.
    LargestId,
};

/// The rows whose mean is the pooled vector.
struct PooledRows {
    Index first = 0;
    Index count = 1;
};

/// Returns the rows to read from `length` ≥ 1 tokens. All kinds except Mean read one row.
PooledRows pooledRows(Index length, Pooling pooling);

/// Writes out [C]. x is [T, C]; its first `length` ≥ 1 rows are tokens, the others padding.
void pool(MatrixView x, Index length, Pooling pooling, std::span<float> out);

/// Writes xGradient [T, C] from outGradient [C].
void poolBackward(std::span<const float> outGradient, Index length, Pooling pooling,
                  MutableMatrixView xGradient);

} // namespace headlight::core
