// The state of a run at one step, as a value: used for saving, resuming and scrubbing.
#pragma once

#include "core/training/recipe/recipe.h"
#include "core/training/run/history.h"
#include "core/transformer/model/model.h"

#include <memory>

namespace headlight::core {

class Task;
struct AblatedRun;
using AblatedRunPointer = std::shared_ptr<const AblatedRun>;

/// No generator state is stored: random numbers depend only on the seed and the step number.
struct TrainingState {
    Recipe recipe{};
    Index step = 0;                ///< number of completed steps
    Model model{};                 ///< with the parameters at this step
    ModelParameters firstMoment{}; ///< AdamW's m, or SGD's v; null parameters before the first step
    ModelParameters secondMoment{}; ///< AdamW's v
    History history{};
    AblatedRunPointer ablated{}; ///< null: no ablation
    /// Set for tasks on the user's own text if the text is small enough to be stored (see
    /// tasks/own_text.h).
    std::shared_ptr<const Task> ownText{};
};

} // namespace headlight::core
