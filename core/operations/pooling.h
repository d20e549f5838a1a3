// One vector for a whole sequence: what a classifier reads.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

enum class Pooling {
    First, ///< the first token's, which encoders such as BERT train for this: [CLS]
    Last,  ///< the last token's that is not padding: the only one that a causal model let see all
    Mean,  ///< the mean of all that are not padding
};

/// For x [T, C] of which the first `length` ≥ 1 rows are tokens, the rest padding, and out [C].
void pool(MatrixView x, Index length, Pooling pooling, std::span<float> out);

/// xGradient [T, C] is written, for outGradient [C].
void poolBackward(std::span<const float> outGradient, Index length, Pooling pooling,
                  MutableMatrixView xGradient);

} // namespace headlight::core
