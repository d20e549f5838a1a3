// What train was asked for on the command line.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace headlight::app {

class OptionReader;

/// An option that says a field of the recipe.
struct RecipeChange {
    const char *option;
    bool isOfModel; ///< or of its examples: a run that goes on has both already
    std::function<void(core::Recipe &)> apply;
};

struct TrainRequest {
    QString task;                       ///< empty: `resume` says which run
    QString resume;                     ///< a session's file
    bool isResumed = false;             ///< --resume: the run may be written over that file
    QString textFile;                   ///< of the tasks "characters" and "words"
    std::optional<core::Ablation> race; ///< of a new run: that a rival has turned
    std::vector<RecipeChange> changes;
};

/// Of options that cannot be understood throws Malformed (option_reader.h).
std::vector<RecipeChange> readRecipeChanges(const OptionReader &reader);

} // namespace headlight::app
