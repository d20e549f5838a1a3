// The other run of a race: the same seed and examples, and a model with one switch turned.
#pragma once

#include "core/training/recipe/race_switch.h"
#include "core/training/run/training_state.h"

namespace headlight::core {

struct Rival {
    RaceSwitch turned = RaceSwitch::NoScale;
    TrainingState state{}; ///< without a rival of its own
};

/// The recipe with the switch turned. Errors: as turned().
Result<Recipe> rivalRecipe(const Recipe &recipe, RaceSwitch which, const TaskInfo &task);

/// Before its first step. Each parameter that both models have is drawn from the same numbers, by
/// its name and the seed. Only without residual connections some are larger, those of the output
/// matrices: initial_model.cpp makes them smaller where they are added up. Errors: as turned() and
/// initialModel().
Result<RivalPointer> firstRival(const Recipe &recipe, RaceSwitch which, const TaskInfo &task);

/// The rival reads what the run reads, with its own masks; what is done to heads of the run is not
/// done to its own.
Input rivalInput(RaceSwitch which, Input input);

} // namespace headlight::core
