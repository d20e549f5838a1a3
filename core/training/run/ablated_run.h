// The ablated run of an ablation study: the same seed and examples, and a model with one setting
// changed.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/run/training_state.h"

namespace headlight::core {

struct AblatedRun {
    Ablation ablation = Ablation::NoScale;
    TrainingState state{}; ///< without an ablated run of its own
};

/// Returns the recipe of the ablated run. Errors: as withAblation().
Result<Recipe> ablatedRecipe(const Recipe &recipe, Ablation which, const TaskInfo &task);

/// Creates the ablated run before its first step. Parameters that both models have start with the
/// same values, drawn by name and seed. Exception: without residual connections the output matrices
/// are larger, because initial_model.cpp scales them down only where they are added up. Errors: as
/// withAblation() and initialModel().
Result<AblatedRunPointer> firstAblatedRun(const Recipe &recipe, Ablation which,
                                          const TaskInfo &task);

/// Returns the input of the ablated run: the same sequences with its own masks. Head interventions
/// do not apply to it.
Input ablatedInput(Ablation which, Input input);

} // namespace headlight::core
