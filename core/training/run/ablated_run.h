// The ablated run of a study: it has the same seed and examples as the main run, and a model with
// one change.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/run/training_state.h"

namespace headlight::core {

struct AblatedRun {
    Ablation ablation = Ablation::NoScale;
    TrainingState state{}; ///< TrainingState::ablated is null
};

/// Returns the recipe of the ablated run. Errors: as withAblation().
Result<Recipe> ablatedRecipe(const Recipe &recipe, Ablation which, const TaskInfo &task);

/// Creates the ablated run before its first step. Parameters that both models have start with the
/// same values, drawn by name and seed. There is one exception: without residual connections, the
/// output matrices have larger values, because initial_model.cpp scales them down only for residual
/// connections. Errors: as withAblation() and initialModel().
Result<AblatedRunPointer> firstAblatedRun(const Recipe &recipe, Ablation which,
                                          const TaskInfo &task);

/// Returns the input of the ablated run: the same sequences, with its own masks and without
/// interventions.
Input ablatedInput(Ablation which, Input input);

} // namespace headlight::core
