#include "ui/figures/heatmap/cell_place.h"

namespace headlight::ui {

bool rowsAreAttended(core::Stage stage) {
    return core::infoOf(stage).ofKeys();
}

bool rowsAreSequences(core::Stage stage) {
    return core::infoOf(stage).rowsAreSequences();
}

std::optional<core::Index> rowOf(const core::Selection &selection) {
    if (rowsAreSequences(selection.stage))
        return selection.sequence;
    return rowsAreAttended(selection.stage) ? selection.key : selection.query;
}

std::optional<core::Index> columnOf(const core::Selection &selection) {
    return core::infoOf(selection.stage).overKeys() ? selection.key : selection.dimension;
}

std::optional<Cell> cellOf(const core::Selection &selection) {
    const auto row = rowOf(selection);
    const auto column = columnOf(selection);
    return row && column ? std::optional(Cell{*row, *column}) : std::nullopt;
}

core::Selection atCell(core::Selection selection, std::optional<core::Index> row,
                       std::optional<core::Index> column) {
    if (rowsAreSequences(selection.stage))
        selection.sequence = row.value_or(selection.sequence);
    else
        (rowsAreAttended(selection.stage) ? selection.key : selection.query) = row;
    (core::infoOf(selection.stage).overKeys() ? selection.key : selection.dimension) = column;
    return selection;
}

std::optional<Cell> computedTo(const core::Selection &selection, Granularity granularity,
                               core::Index columns) {
    const auto row = rowOf(selection);
    if (granularity == Granularity::Stage || !row)
        return std::nullopt;
    const auto column = granularity == Granularity::Cell ? columnOf(selection) : std::nullopt;
    return Cell{*row, column.value_or(columns - 1)};
}

} // namespace headlight::ui
