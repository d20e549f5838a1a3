// The other run of a race: the same seed and examples, and a model with one switch turned.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/run/training_state.h"

namespace headlight::core {

struct AblatedRun {
    Ablation ablation = Ablation::NoScale;
    TrainingState state{}; ///< without a rival of its own
};

/// The recipe with the switch turned. Errors: as turned().
Result<Recipe> ablatedRecipe(const Recipe &recipe, Ablation which, const TaskInfo &task);

/// Before its first step. Each parameter that both models have is drawn from the same numbers, by
/// its name and the seed. Only without residual connections some are larger, those of the output
/// matrices: initial_model.cpp makes them smaller where they are added up. Errors: as turned() and
/// initialModel().
Result<AblatedRunPointer> firstAblatedRun(const Recipe &recipe, Ablation which,
                                          const TaskInfo &task);

/// The rival reads what the run reads, with its own masks; what is done to heads of the run is not
/// done to its own.
Input ablatedInput(Ablation which, Input input);

} // namespace headlight::core
