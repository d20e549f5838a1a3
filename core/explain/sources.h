// What a number was computed from: the rows, columns and cells of the stages before it that it
// depends on, by the steps of the plan.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <optional>
#include <vector>

namespace headlight::core {

/// A cell, a row, a column or all of the matrix of one sequence and head of a stage.
struct Region {
    StageId at{};
    Index head = 0;              ///< of the stage's own heads: of keys and values the group
    std::optional<Index> row;    ///< none: all of them
    std::optional<Index> column; ///< the same
    auto operator<=>(const Region &) const = default;

    bool contains(const Region &other) const;
};

/// The same of any step of the plan.
struct Slice {
    StepId step = 0;
    Index head = 0; ///< of the step's own heads
    std::optional<Index> row, column;
    auto operator<=>(const Slice &) const = default;

    bool contains(const Slice &other) const {
        return step == other.step && head == other.head && (!row || row == other.row) &&
               (!column || column == other.column);
    }
};

/// What the step's operation reads to make the slice, in its order, and after what a person did to
/// it: nothing where that stands in the operation's place. Of a rename what it renames.
std::vector<Slice> readsOf(const Trace &trace, Index sequence, Slice made);

/// The slice that a region is; none where its stage is not in the plan.
std::optional<Slice> asSlice(const Plan &plan, const Region &region);

/// The region that a selection means; none where its stage is not in the plan.
std::optional<Region> regionOf(const Plan &plan, const Selection &selection);

/// What the operation of the region's stage reads to make it, past steps that have no name; empty
/// where it reads nothing: words' vectors, what was captured, and what a person put in its place.
std::vector<Region> sourcesOf(const Trace &trace, Index sequence, const Region &region);

/// The same, what those were made from, and so on to the embeddings, or to the step `first`; none
/// inside another. What renames another stage is left out: that one is named.
std::vector<Region> ancestorsOf(const Trace &trace, Index sequence, const Region &region,
                                StepId first = 0);

/// What the attention's block reads before its norm, which a residual connection carries past it.
/// None: it is not in the trace (a capture).
std::optional<StageId> attentionInput(const Trace &trace, AttentionId attention);

} // namespace headlight::core
