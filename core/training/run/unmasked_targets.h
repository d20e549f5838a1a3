// Examples for a model that no mask keeps from seeing what it should predict.
#pragma once

#include "core/training/tasks/task.h"

#include <vector>

namespace headlight::core {

/// Every token sees those after it, where the task asks for them.
bool seesTargets(const TaskInfo &task, const Architecture &architecture);

/// Of an example whose other answers are each the token after: that of the last token, which is
/// not in the input, is left out. Else it alone would be learned as with a mask.
void leaveOutLast(std::vector<Example> &examples);

/// What such a model has to do when it writes: of each answer the example as far as it, which is
/// asked for at the last token alone.
std::vector<Example> asWritten(const Example &example);

} // namespace headlight::core
