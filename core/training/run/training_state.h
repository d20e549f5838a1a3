// The state of a run at one step, as a value: used to save, resume and scrub a run.
#pragma once

#include "core/training/recipe/recipe.h"
#include "core/training/run/history.h"
#include "core/transformer/model/model.h"

#include <memory>

namespace headlight::core {

class Task;
struct AblatedRun;
/// Shared and immutable.
using AblatedRunPointer = std::shared_ptr<const AblatedRun>;

/// No generator state is stored: random numbers depend only on the seed and the step number.
struct TrainingState {
    Recipe recipe{};
    Index step = 0;                ///< number of steps made
    Model model{};                 ///< with the parameters at this step
    ModelParameters firstMoment{}; ///< AdamW's m, or SGD's v; null parameters before the first step
    ModelParameters secondMoment{}; ///< AdamW's v
    History history{};
    AblatedRunPointer ablated{}; ///< null: none
    /// Set for the user's own text if it is small enough to be stored (tasks/own_text.h).
    std::shared_ptr<const Task> ownText{};
};

} // namespace headlight::core
