// Training sessions: the initial model of a recipe, with a held-out example of its task as the
// input.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/task.h"
#include "ui/document/source.h"

namespace headlight::ui {

/// `against`: the ablation of a second run; unset for none. Errors: as core::initialModel() and
/// core::withAblation(); a model too large to compute.
core::Result<OpenedSource> makeTrainingSession(const core::Recipe &recipe,
                                               const core::TaskPointer &task,
                                               std::optional<core::Ablation> against = {});

} // namespace headlight::ui
