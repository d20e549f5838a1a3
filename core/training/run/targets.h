// Builds the targets of an input, so that the backward pass can start from its loss.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

/// Returns the task's targets for each sequence that is one of its held-out examples, and
/// next-token targets for the others if the model predicts tokens. `task` may be null. Empty if no
/// target is known.
std::vector<Target> taskTargetsOf(const Trace &trace, const Task *task);

} // namespace headlight::core
