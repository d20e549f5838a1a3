// Converts a selection to a row and column of its stage's matrix and back.
#pragma once

#include "core/selection/selection.h"
#include "ui/figures/base/granularity.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

namespace headlight::ui {

/// True if the stage's rows are attended tokens (keys and values). The rows of most other stages
/// are the attending tokens.
bool rowsAreAttended(core::Stage stage);
/// True if the rows are the batch's sequences, as in a classifier's stages.
bool rowsAreSequences(core::Stage stage);

std::optional<core::Index> rowOf(const core::Selection &selection);
std::optional<core::Index> columnOf(const core::Selection &selection);
/// Returns the row and column, or nothing if either is missing.
std::optional<Cell> cellOf(const core::Selection &selection);

/// Returns the selection with this row and column of its stage selected. All other fields are kept.
core::Selection atCell(core::Selection selection, std::optional<core::Index> row,
                       std::optional<core::Index> column);

/// Returns the selection of the complete matrix, without a cell or open arithmetic.
core::Selection withoutCell(core::Selection selection);

/// Returns the last computed cell. Unset if the computation advances by stages or if no row is
/// selected.
std::optional<Cell> computedTo(const core::Selection &selection, Granularity granularity,
                               core::Index columns);

} // namespace headlight::ui
