#include "core/training/run/ablated_run.h"

#include "core/training/tasks/task.h"

#include <variant>

namespace headlight::core {

Result<Recipe> ablatedRecipe(const Recipe &recipe, Ablation which, const TaskInfo &task) {
    const Result<Architecture> architecture = withAblation(which, recipe.architecture, task);
    if (!architecture)
        return architecture.error();
    Recipe ablated = recipe;
    ablated.architecture = *architecture;
    return ablated;
}

Result<AblatedRunPointer> firstAblatedRun(const Recipe &recipe, Ablation which,
                                          const TaskInfo &task) {
    Result<Recipe> own = ablatedRecipe(recipe, which, task);
    if (!own)
        return own.error();
    Result<Model> model = initialModel(task, own->architecture, own->seed);
    if (!model)
        return model.error();
    AblatedRun ablated;
    ablated.ablation = which;
    ablated.state.recipe = *std::move(own);
    ablated.state.model = *std::move(model);
    return AblatedRunPointer(std::make_shared<const AblatedRun>(std::move(ablated)));
}

Input ablatedInput(Ablation which, Input input) {
    input.interventions = {};
    if (which == Ablation::NoMask)
        std::erase_if(input.masks, [](const MaskLayer &mask) {
            return std::holds_alternative<CausalMask>(mask);
        });
    return input;
}

} // namespace headlight::core
