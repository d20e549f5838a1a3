// Measures of a row of a stage, such as the largest key and the entropy.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <span>

namespace headlight::core {

/// Measures of a row whose columns are keys.
struct RowMeasures {
    Index visible = 0;       ///< number of keys visible to the query
    bool seesNothing = true; ///< see seesNothing(): weights and context are exactly zero
    /// The first key with the largest value. None after the mask if the query sees no key.
    std::optional<Index> largestAt;
    float largest = 0;
    double weightSum = 0; ///< sum of the row's attention weights, even for another stage
    /// Entropy of the row's attention weights, even for another stage. Meaningful only if they sum
    /// to 1 (AttentionRowProperties::sumsToOne).
    double entropy = 0;
    double entropyBits() const;
};

/// Measures the selected row (sequence, attention module, head, stage, query). No value if the
/// trace does not have such a row.
std::optional<RowMeasures> measuresOf(const Trace &trace, const Selection &selection);

/// Whether the rows of a matrix can be attention weights: each sums to 1, or to 0 if the query sees
/// nothing.
struct RowSums {
    Index zeros = 0;          ///< number of rows that sum to 0
    bool othersAreOne = true; ///< tolerance 0.01, because captures may be in half precision
};
RowSums rowSumsOf(MatrixView matrix);

/// Returns −Σ w·ln w, in nats (Shannon 1948). Zero weights contribute nothing.
double entropyOf(std::span<const float> weights);

/// Returns the Euclidean length of a vector.
double normOf(std::span<const float> vector);

} // namespace headlight::core
