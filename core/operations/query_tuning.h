// Temperature tuning (Llama 4, after Nakanishi 2025, Scalable-Softmax): queries grow slowly with
// their position, so that attention stays sharp in long texts.
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

/// A query at position i is multiplied by 1 + strength · ln(1 + ⌊(i + 1) / length⌋).
struct QueryTuning {
    float strength = 0;  ///< 0: off
    Index length = 8192; ///< number of tokens after which the factor grows; ≥ 1
    bool isOn() const { return strength > 0; }
    bool operator==(const QueryTuning &) const = default;
};

/// Returns the factor of the query at a position, which counts from 0.
float tuningFactor(const QueryTuning &tuning, Index position);

/// out[t] = x[t] · factor of position first + t. The matrices may share memory.
void tuneQueries(MatrixView x, const QueryTuning &tuning, MutableMatrixView out, Index first = 0);

} // namespace headlight::core
