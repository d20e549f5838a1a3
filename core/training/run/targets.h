// Builds the targets of an input, so that the backward pass can start from its loss.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

/// For each sequence that is one of the task's held-out examples, returns the task's targets. For
/// all others, returns next-token targets if the model predicts tokens. `task` may be null. The
/// result is empty if no target is known.
std::vector<Target> taskTargetsOf(const Trace &trace, const Task *task);

} // namespace headlight::core
