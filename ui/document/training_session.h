// A session to train in: the first model of a recipe, reading an example of its task that is held
// out.
#pragma once

#include "core/training/recipe/recipe.h"
#include "core/training/tasks/task.h"
#include "ui/document/source.h"

namespace headlight::ui {

/// Errors: as core::initialModel(); more than can be computed.
core::Result<OpenedSource> makeTrainingSession(const core::Recipe &recipe,
                                               const core::TaskPointer &task);

} // namespace headlight::ui
