// Examples as a training pass reads them.
#pragma once

#include "core/training/pass/training_workspace.h"
#include "core/training/tasks/task.h"

#include <span>

namespace headlight::core {

/// Fills `batch`, whose room it uses again.
void fillBatch(std::span<const Example> examples, const TaskInfo &task, TrainingBatch &batch);

/// The example as the program's own passes read it: what is looked at.
Result<Input> inputOf(const Example &example, const Model &model, const Input &masks);

} // namespace headlight::core
