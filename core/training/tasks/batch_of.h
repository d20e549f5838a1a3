// Converts examples to the input of training and forward passes.
#pragma once

#include "core/training/pass/training_workspace.h"
#include "core/training/tasks/task.h"
#include "core/transformer/run/forward.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// Fills `batch`, reusing its memory.
void fillBatch(std::span<const Example> examples, const TaskInfo &task, TrainingBatch &batch);

/// Returns the example as the input of a forward pass, for inspection. `masks` can also contain
/// interventions.
Result<Input> inputOf(const Example &example, const Model &model, const Input &masks);

/// Runs a forward pass on the example alone. The input is as for inputOf().
Result<TracePointer> traceOf(const Example &example, const Model &model, const Input &masks,
                             const std::stop_token &stop = {});

} // namespace headlight::core
