// The inputs that a value depends on: rows, columns and cells of earlier stages, determined from
// the plan.
#pragma once

#include "core/explain/slice.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// A cell, a row, a column or all of the matrix of one sequence and head of a stage.
struct Region {
    StageId at{};
    Index head = 0;              ///< head of the stage; a key-value head for keys and values
    std::optional<Index> row;    ///< none: all rows
    std::optional<Index> column; ///< none: all columns
    auto operator<=>(const Region &) const = default;

    bool contains(const Region &other) const;
};

/// Returns the slices that the step's operation reads to compute `made`, in reading order.
/// Considers interventions: empty if one replaces the result. A rename reads what the renamed step
/// reads.
std::vector<Slice> readsOf(const Trace &trace, Index sequence, Slice made);

/// Returns the slice of a region; no value if the plan does not have its stage.
std::optional<Slice> asSlice(const Plan &plan, const Region &region);

/// Returns the selected region; no value if the plan does not have its stage.
std::optional<Region> regionOf(const Plan &plan, const Selection &selection);

/// Returns the regions of stages from which `region` is computed, directly or through unnamed
/// steps. Empty if it reads nothing: embeddings, captured stages, and values replaced by an
/// intervention.
std::vector<Region> sourcesOf(const Trace &trace, Index sequence, const Region &region);

/// Applies sourcesOf() repeatedly, back to the embeddings or to step `first`. Leaves out regions
/// contained in others. Lists the original stage instead of one that renames it.
std::vector<Region> ancestorsOf(const Trace &trace, Index sequence, const Region &region,
                                StepId first = 0);

/// Returns the input of the attention block before its norm, which the residual connection carries.
/// No value if the trace does not have it (a capture).
std::optional<StageId> attentionInput(const Trace &trace, AttentionId attention);

} // namespace headlight::core
