// Small runs for tests, with real training.
#pragma once

#include "core/training/run/recorded_run.h"
#include "core/training/run/trainer.h"
#include "tests/support/opened.h"
#include "tests/support/parameter_numbers.h"
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

/// Returns a recorded run of a small model in which an attention head forms.
inline const core::RecordedRunPointer &someBirth() {
    static const core::RecordedRunPointer run = [] {
        const core::TaskPointer task = core::findTask("previous-token");
        core::Recipe recipe = task->info().recipe;
        recipe.steps = 120;
        return valueOf(core::recordRun(recipe, task));
    }();
    return run;
}

/// Returns a recipe that overflows: after one step, the parameters are finite, but the scores are
/// not.
inline core::Recipe overflowingRecipe() {
    core::Recipe recipe = smallRecipe(200);
    recipe.optimizer.learningRate = 1e30f;
    recipe.optimizer.clip = 0;
    recipe.optimizer.warmUp = 0;
    recipe.architecture.norm = core::NormKind::None;
    return recipe;
}

inline ui::OpenedSource trainingSession(const core::Recipe &recipe = smallRecipe(),
                                        std::optional<core::Ablation> against = {}) {
    return valueOf(ui::makeTrainingSession(recipe, core::findTask(recipe.task), against));
}

/// Trains without a window for `steps` steps.
inline core::TrainingState trained(const core::Recipe &recipe, core::Index steps) {
    core::Trainer trainer = valueOf(core::Trainer::create(recipe, core::findTask(recipe.task)));
    for (core::Index step = 0; step < steps; ++step) {
        if (trainer.isTimeToMeasure() && !trainer.measure())
            qFatal("not measured");
        if (const core::Outcome outcome = trainer.advance(); !outcome)
            qFatal("%s", outcome.error().text().c_str());
    }
    return trainer.state();
}

} // namespace headlight::test
