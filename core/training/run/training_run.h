// The state of a run without its model, for classes that store the model themselves: a session or
// an undo step.
#pragma once

#include "core/training/run/ablated_run.h"

#include <memory>
#include <utility>

namespace headlight::core {

struct TrainingRun {
    Recipe recipe{};
    Index step = 0;
    /// As in TrainingState. The parameters are null at the start or restart of a run.
    ModelParameters firstMoment{};
    ModelParameters secondMoment{};
    History history{};
    AblatedRunPointer ablated{};           ///< null: no ablation
    std::shared_ptr<const Task> ownText{}; ///< as in TrainingState
};

using TrainingRunPointer = std::shared_ptr<const TrainingRun>;

inline TrainingRun runOf(TrainingState state) {
    return {std::move(state.recipe),      state.step,
            std::move(state.firstMoment), std::move(state.secondMoment),
            std::move(state.history),     std::move(state.ablated),
            std::move(state.ownText)};
}

inline TrainingState stateOf(const TrainingRun &run, Model model) {
    return {run.recipe,       run.step,    std::move(model), run.firstMoment,
            run.secondMoment, run.history, run.ablated,      run.ownText};
}

} // namespace headlight::core
