#include "core/training/recipe/architecture.h"

#include "core/training/recipe/recipe_fields.h"
#include "core/training/recipe/task_info.h"
#include "core/transformer/model/parameter_id.h"

namespace headlight::core {

Outcome validate(const Architecture &architecture) {
    if (Outcome valid = checkFields(architecture, "recipe.architecture"); !valid)
        return valid;
    if (architecture.width % architecture.heads == 0)
        return Done{};
    return Error{
        {"%1 heads cannot share a width of %2 evenly", architecture.heads, architecture.width},
        "recipe.architecture.heads",
        "use a number that divides the width"};
}

Input masksOf(const TaskInfo &task, const Architecture &architecture) {
    Input input;
    const bool looksBack =
        task.asks == TargetPositions::NextToken || task.asks == TargetPositions::Translation;
    if (looksBack && architecture.masked)
        input.masks.push_back(CausalMask{});
    input.masks.push_back(PaddingMask{});
    if (task.asks == TargetPositions::Translation) {
        input.encoderMasks.push_back(PaddingMask{});
        input.crossMasks.push_back(PaddingMask{});
    }
    return input;
}

Index parameterCount(const Model &model) {
    Index count = 0;
    for (const ParameterId &id : allParameters(model.parameters))
        if (const Parameter &parameter = parameterOf(model.parameters, id))
            count += parameter->rows() * parameter->columns();
    return count;
}

} // namespace headlight::core
