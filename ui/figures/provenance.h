// Where a number came from: the rows and columns of the stages before it that it was computed of.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"

#include <vector>

namespace headlight::ui {

/// A row, a column or a cell of a stage's matrix.
struct SourcePlace {
    core::StageAt at;
    std::optional<core::Index> row;
    std::optional<core::Index> column;
    bool operator==(const SourcePlace &) const = default;
};

/// The direct sources of the selected cell, or of the selected row; none where no row is selected.
/// `selection.stage` is one that the model has. A cell of the concatenated heads that another than
/// the selected head made has no source that is shown.
std::vector<SourcePlace> sourcesOf(const core::Trace &trace, const core::Selection &selection);

/// What the queries of an attention are made of, or what a feed-forward network reads: the norm, or
/// what the part before gave.
core::StageAt readBy(const core::Trace &trace, const core::Selection &selection);
/// What the keys and values are made of: the same, or the second sequence.
core::StageAt attendedBy(const core::Trace &trace, const core::Selection &selection);
/// What is added to what the part makes, and what it makes.
core::StageAt inputOf(const core::Trace &trace, const core::Selection &selection);
core::StageAt madeBy(const core::Trace &trace, const core::Selection &selection);
/// The stage before it in the order of the computation.
std::optional<core::StageAt> before(const core::Trace &trace, const core::Selection &selection);

} // namespace headlight::ui
