// A session to train in: the first model of a recipe, reading an example of its task that is held
// out.
#pragma once

#include "core/training/recipe/ablation.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/task.h"
#include "ui/document/source.h"

namespace headlight::ui {

/// `against`: the switch that a rival is to race with; none: it learns alone. Errors: as
/// core::initialModel() and core::turned(); more than can be computed.
core::Result<OpenedSource> makeTrainingSession(const core::Recipe &recipe,
                                               const core::TaskPointer &task,
                                               std::optional<core::Ablation> against = {});

} // namespace headlight::ui
