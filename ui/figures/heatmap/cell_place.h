// Which row and column of a stage's matrix a selection means, and the other way round.
#pragma once

#include "core/selection/selection.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

namespace headlight::ui {

/// The rows of keys and values are the tokens attended to; those of every other stage the tokens
/// that attend.
bool rowsAreAttended(core::Stage stage);
/// A classifier's: its rows are the batch's sequences.
bool rowsAreSequences(core::Stage stage);

std::optional<core::Index> rowOf(const core::Selection &selection);
std::optional<core::Index> columnOf(const core::Selection &selection);
/// Both, or none.
std::optional<Cell> cellOf(const core::Selection &selection);

/// The selection at this row and column of its stage; whatever else it had stays.
core::Selection atCell(core::Selection selection, std::optional<core::Index> row,
                       std::optional<core::Index> column);

} // namespace headlight::ui
