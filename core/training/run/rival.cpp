#include "core/training/run/rival.h"

#include "core/training/tasks/task.h"

#include <variant>

namespace headlight::core {

Result<Recipe> rivalRecipe(const Recipe &recipe, RaceSwitch which, const TaskInfo &task) {
    const Result<Architecture> architecture = turned(which, recipe.architecture, task);
    if (!architecture)
        return architecture.error();
    Recipe rival = recipe;
    rival.architecture = *architecture;
    return rival;
}

Result<RivalPointer> firstRival(const Recipe &recipe, RaceSwitch which, const TaskInfo &task) {
    Result<Recipe> own = rivalRecipe(recipe, which, task);
    if (!own)
        return own.error();
    Result<Model> model = initialModel(task, own->architecture, own->seed);
    if (!model)
        return model.error();
    Rival rival;
    rival.turned = which;
    rival.state.recipe = *std::move(own);
    rival.state.model = *std::move(model);
    return RivalPointer(std::make_shared<const Rival>(std::move(rival)));
}

Input rivalInput(RaceSwitch which, Input input) {
    input.interventions = {};
    if (which == RaceSwitch::NoMask)
        std::erase_if(input.masks, [](const MaskLayer &mask) {
            return std::holds_alternative<CausalMask>(mask);
        });
    return input;
}

} // namespace headlight::core
