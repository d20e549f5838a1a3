#include "core/training/recipe/recipe_fields.h"

namespace headlight::core {

Outcome validate(const Recipe &recipe) {
    const Outcome valid = checkFields(recipe, "recipe");
    return valid ? validate(recipe.architecture) : valid;
}

} // namespace headlight::core
