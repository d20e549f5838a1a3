// The positions at which the user steps through the computation: stages, rows or cells.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/granularity.h"

#include <vector>

namespace headlight::ui {

/// Positions of the steps in a trace. `stages`: the stages of ModelParts, in the same order.
struct StepPositions {
    const core::Trace &trace;
    const std::vector<core::StageId> &stages;
    Granularity granularity = Granularity::Stage;

    core::Selection first(const core::Selection &now) const;
    core::Selection last(const core::Selection &now) const;
    /// Return the next or the previous step. Empty if there is none.
    std::optional<core::Selection> next(const core::Selection &now) const;
    std::optional<core::Selection> back(const core::Selection &now) const;
    /// Returns the index in `stages` of the stage shown for the selection; 0 if there is none.
    std::size_t stageIndex(const core::Selection &now) const;

  private:
    /// Returns the first or last step of a stage.
    core::Selection edge(core::Selection now, std::size_t stage, bool atEnd) const;
};

} // namespace headlight::ui
