#include "ui/figures/heatmap/cell_place.h"

#include "core/selection/selected.h"

namespace headlight::ui {

bool rowsAreAttended(core::Stage stage) {
    return core::infoOf(stage).ofKeys();
}

bool rowsAreSequences(core::Stage stage) {
    return core::infoOf(stage).rowsAreSequences();
}

std::optional<core::Index> rowOf(const core::Selection &selection) {
    return core::selectedRow(selection);
}

std::optional<core::Index> columnOf(const core::Selection &selection) {
    return core::selectedColumn(selection);
}

std::optional<Cell> cellOf(const core::Selection &selection) {
    const auto row = rowOf(selection);
    const auto column = columnOf(selection);
    return row && column ? std::optional(Cell{*row, *column}) : std::nullopt;
}

core::Selection atCell(core::Selection selection, std::optional<core::Index> row,
                       std::optional<core::Index> column) {
    const core::StageInfo &info = core::infoOf(selection.stage);
    if (rowsAreSequences(selection.stage))
        selection.sequence = row.value_or(selection.sequence);
    else
        (info.rowsAreDistances() ? selection.distance
         : info.ofKeys()         ? selection.key
                                 : selection.query) = row;
    (info.overKeys()        ? selection.key
     : info.overDistances() ? selection.distance
                            : selection.dimension) = column;
    return selection;
}

core::Selection withoutCell(core::Selection selection) {
    selection.query = selection.key = selection.dimension = selection.distance = std::nullopt;
    selection.opened = false;
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
