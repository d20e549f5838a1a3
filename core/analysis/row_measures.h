// What can be said of a whole row of a stage.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <span>

namespace headlight::core {

/// A row of a stage whose columns are keys.
struct RowMeasures {
    Index visible = 0;              ///< how many keys the mask lets the query see
    bool seesNothing = true;        ///< seesNothing(): weights and context are exactly zero
    std::optional<Index> largestAt; ///< the first key with the largest value; none: sees nothing
    float largest = 0;
    double weightSum = 0; ///< of the row's weights, whatever the stage
    /// entropyOf() the row's weights, whatever the stage. Only of a row that sums to 1
    /// (Weighting::sumsToOne).
    double entropy = 0;
    double entropyBits() const;
};

/// Of (sequence, site, head, stage, query). None: the trace has no such row of keys.
std::optional<RowMeasures> measuresOf(const Trace &trace, const Selection &selection);

/// Whether rows are weights: each sums to 1, or sees nothing and sums to 0.
struct RowSums {
    Index zeros = 0;          ///< rows of sum 0
    bool othersAreOne = true; ///< within 0.01: a capture's numbers may be half as precise as ours
};
RowSums rowSumsOf(MatrixView matrix);

/// −Σ w·ln w, in nats (Shannon 1948); a weight of zero adds nothing.
double entropyOf(std::span<const float> weights);

/// The length of a vector: the root of the sum of its squares.
double normOf(std::span<const float> vector);

} // namespace headlight::core
