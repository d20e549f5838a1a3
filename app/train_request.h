// Parsed options of `headlight train`.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace headlight::app {

class OptionReader;

/// An option that sets a recipe field.
struct RecipeChange {
    const char *option;
    bool isOfModel; ///< model or examples: a resumed run has both already
    std::function<void(core::Recipe &)> apply;
};

struct TrainRequest {
    QString task;                       ///< empty: resumes the run of `resume`
    QString resume;                     ///< a session file
    bool isResumed = false;             ///< --resume: may overwrite that file
    QString textFile;                   ///< for the tasks "characters" and "words"
    std::optional<core::Ablation> race; ///< ablation of the second run; new runs only
    std::vector<RecipeChange> changes;
};

/// Throws OptionError for invalid options (option_reader.h).
std::vector<RecipeChange> readRecipeChanges(const OptionReader &reader);

} // namespace headlight::app
