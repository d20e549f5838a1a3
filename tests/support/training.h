// Small runs for tests, with real training.
#pragma once

#include "core/training/run/trainer.h"
#include "tests/support/opened.h"
#include "ui/document/training_session.h"

namespace headlight::test {

/// Returns a recipe with two small layers for the task "repeat".
inline core::Recipe smallRecipe(core::Index steps = 24) {
    core::Recipe recipe;
    recipe.task = "repeat";
    recipe.architecture = {.layers = 2, .heads = 2, .width = 8, .feedForward = 0};
    recipe.optimizer.learningRate = 0.01f;
    recipe.batch = 4;
    recipe.steps = steps;
    return recipe;
}

inline ui::OpenedSource trainingSession(const core::Recipe &recipe = smallRecipe(),
                                        std::optional<core::Ablation> against = {}) {
    core::Result<ui::OpenedSource> made =
        ui::makeTrainingSession(recipe, core::findTask(recipe.task), against);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *std::move(made);
}

/// Trains without a window for `steps` steps.
inline core::TrainingState trained(const core::Recipe &recipe, core::Index steps) {
    core::Result<core::Trainer> trainer =
        core::Trainer::create(recipe, core::findTask(recipe.task));
    if (!trainer)
        qFatal("%s", trainer.error().text().c_str());
    for (core::Index step = 0; step < steps; ++step) {
        if (trainer->isTimeToMeasure() && !trainer->measure())
            qFatal("not measured");
        if (const core::Outcome outcome = trainer->advance(); !outcome)
            qFatal("%s", outcome.error().text().c_str());
    }
    return trainer->state();
}

inline bool sameNumbers(const core::ModelParameters &a, const core::ModelParameters &b) {
    for (const core::ParameterId &id : core::allParameters(a))
        if (!core::sameNumbers(parameterOf(a, id), parameterOf(b, id)))
            return false;
    return true;
}

} // namespace headlight::test
