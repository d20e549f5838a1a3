// What a text asks of a model, so that the way back of its answers can be gone.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/training/tasks/task.h"

namespace headlight::core {

/// Of each sequence that is one of the task's held-out examples, what the task asks there; of
/// others, where words are predicted, each for the one after it. `task` may be null. Empty: nothing
/// is known to be right.
std::vector<Target> taskTargetsOf(const Trace &trace, const Task *task);

} // namespace headlight::core
