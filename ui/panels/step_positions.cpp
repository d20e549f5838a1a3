#include "ui/panels/step_positions.h"

#include "ui/figures/heatmap/cell_place.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/parts/model_parts.h"

#include <algorithm>

namespace headlight::ui {

std::size_t StepPositions::stageIndex(const core::Selection &now) const {
    const core::StageId shown = ModelParts(trace).shown(now);
    const auto found = std::find(stages.begin(), stages.end(), shown);
    return found == stages.end() ? 0 : static_cast<std::size_t>(found - stages.begin());
}

core::Selection StepPositions::edge(core::Selection now, std::size_t stage, bool atEnd) const {
    now = atStage(now, stages[stage]);
    if (granularity == Granularity::Stage)
        return now; // the selected cell does not change from stage to stage
    now.query.reset();
    now.key.reset();
    now.dimension.reset();
    now.distance.reset();
    const core::MatrixSize matrix = sizeOf(trace, now);
    const core::Index row = atEnd ? std::max<core::Index>(0, matrix.rows - 1) : 0;
    if (granularity == Granularity::Row)
        return atCell(now, row, {});
    return atCell(now, row, atEnd ? std::max<core::Index>(0, matrix.columns - 1) : 0);
}

core::Selection StepPositions::first(const core::Selection &now) const {
    return stages.empty() ? now : edge(now, 0, false);
}

core::Selection StepPositions::last(const core::Selection &now) const {
    return stages.empty() ? now : edge(now, stages.size() - 1, true);
}

std::optional<core::Selection> StepPositions::next(const core::Selection &now) const {
    if (stages.empty())
        return std::nullopt;
    const std::size_t stage = stageIndex(now);
    const core::Selection here = atStage(now, stages[stage]);
    if (granularity != Granularity::Stage) {
        const core::MatrixSize matrix = sizeOf(trace, here);
        const auto row = rowOf(here);
        const auto column = columnOf(here);
        if (!row)
            return edge(now, stage, false); // to the first row or cell
        if (granularity == Granularity::Cell && !column)
            return atCell(here, row, 0);
        if (granularity == Granularity::Cell && *column + 1 < matrix.columns)
            return atCell(here, row, *column + 1);
        if (*row + 1 < matrix.rows)
            return atCell(here, *row + 1,
                          granularity == Granularity::Cell ? std::optional<core::Index>(0)
                                                           : std::nullopt);
    }
    if (stage + 1 >= stages.size())
        return std::nullopt;
    return edge(now, stage + 1, false);
}

std::optional<core::Selection> StepPositions::back(const core::Selection &now) const {
    if (stages.empty())
        return std::nullopt;
    const std::size_t stage = stageIndex(now);
    const core::Selection here = atStage(now, stages[stage]);
    if (granularity != Granularity::Stage) {
        const core::MatrixSize matrix = sizeOf(trace, here);
        const auto row = rowOf(here);
        const auto column = columnOf(here);
        const bool byCell = granularity == Granularity::Cell;
        if (row && byCell && column && *column > 0)
            return atCell(here, row, *column - 1);
        if (row && *row > 0)
            return atCell(here, *row - 1,
                          byCell ? std::optional(matrix.columns - 1) : std::nullopt);
    }
    if (stage == 0)
        return std::nullopt;
    return edge(now, stage - 1, true);
}

} // namespace headlight::ui
