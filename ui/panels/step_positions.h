// The steps of the computation as a person goes through them: by stage, by row or by cell.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"
#include "ui/figures/base/granularity.h"

#include <vector>

namespace headlight::ui {

/// Where the steps are in a trace. `stages`: those of FlowParts, in their order.
struct StepPositions {
    const core::Trace &trace;
    const std::vector<core::StageId> &stages;
    Granularity granularity = Granularity::Stage;

    core::Selection first(const core::Selection &now) const;
    core::Selection last(const core::Selection &now) const;
    /// None at the end, or at the start.
    std::optional<core::Selection> next(const core::Selection &now) const;
    std::optional<core::Selection> back(const core::Selection &now) const;
    /// The stage of the selection in `stages`, or what stands for it.
    std::size_t stageIndex(const core::Selection &now) const;

  private:
    /// The first or the last step of a stage.
    core::Selection edge(core::Selection now, std::size_t stage, bool atEnd) const;
};

} // namespace headlight::ui
