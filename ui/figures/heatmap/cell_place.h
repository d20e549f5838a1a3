// Converts a selection to a row and column of its stage's matrix and back.
#pragma once

#include "core/selection/selection.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

namespace headlight::ui {

/// True if the stage's rows are attended tokens (keys and values). The rows of all other stages are
/// the attending tokens.
bool rowsAreAttended(core::Stage stage);
/// True if the rows are the batch's sequences, as in a classifier's stages.
bool rowsAreSequences(core::Stage stage);

std::optional<core::Index> rowOf(const core::Selection &selection);
std::optional<core::Index> columnOf(const core::Selection &selection);
/// Returns the row and column, or nothing if either is missing.
std::optional<Cell> cellOf(const core::Selection &selection);

/// Returns the selection moved to this row and column of its stage. All other fields are kept.
core::Selection atCell(core::Selection selection, std::optional<core::Index> row,
                       std::optional<core::Index> column);

/// Returns the selection of the whole matrix, without a cell or opened arithmetic.
core::Selection withoutCell(core::Selection selection);

/// Returns the last computed cell if the computation advances by rows or cells.
std::optional<Cell> computedTo(const core::Selection &selection, Granularity granularity,
                               core::Index columns);

} // namespace headlight::ui
