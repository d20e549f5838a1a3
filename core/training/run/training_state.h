// A run at one moment, as a value: what is saved, continued and scrubbed back to.
#pragma once

#include "core/training/recipe/recipe.h"
#include "core/training/run/history.h"
#include "core/transformer/model/model.h"

#include <memory>

namespace headlight::core {

class Task;
struct AblatedRun;
/// Shared, and never changed.
using AblatedRunPointer = std::shared_ptr<const AblatedRun>;

/// Random numbers need no state: what a step draws is a function of the recipe's seed and its
/// number.
struct TrainingState {
    Recipe recipe{};
    Index step = 0;                ///< how many were made
    Model model{};                 ///< with the weights of this moment
    ModelParameters firstMoment{}; ///< AdamW's m, or SGD's v: null parameters before the first step
    ModelParameters secondMoment{}; ///< AdamW's v
    History history{};
    AblatedRunPointer ablated{}; ///< that races against it; null: none does
    /// Of a person's own text, where that is small enough to be kept (tasks/own_text.h).
    std::shared_ptr<const Task> ownText{};
};

} // namespace headlight::core
