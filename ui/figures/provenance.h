// Where a number came from: the rows and columns of the stages before it that it was computed of.
#pragma once

#include "core/transformer/selection.h"
#include "core/transformer/trace.h"

#include <vector>

namespace headlight::ui {

/// A row, a column or a cell of a stage's matrix.
struct SourcePlace {
    core::Stage stage;
    std::optional<core::Index> row;
    std::optional<core::Index> column;
    bool operator==(const SourcePlace &) const = default;
};

/// The direct sources of the selected cell, or of the selected row; none where no row is selected.
/// `selection.stage` is one that the model has. A cell of the concatenated heads that another than
/// the selected head made has no source that is shown.
std::vector<SourcePlace> sourcesOf(const core::Trace &trace, const core::Selection &selection);

/// Which stage of the layer the queries, keys and values are made of.
core::Stage inputStage(const core::Trace &trace, core::Index layer);

} // namespace headlight::ui
