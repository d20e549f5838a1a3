// Converts examples to the input of training and forward passes.
#pragma once

#include "core/training/pass/training_workspace.h"
#include "core/training/tasks/task.h"

#include <span>

namespace headlight::core {

/// Fills `batch`, reusing its memory.
void fillBatch(std::span<const Example> examples, const TaskInfo &task, TrainingBatch &batch);

/// Returns the example as the input of a forward pass, for inspection.
Result<Input> inputOf(const Example &example, const Model &model, const Input &masks);

} // namespace headlight::core
