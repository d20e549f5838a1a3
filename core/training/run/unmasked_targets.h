// Training examples for a model without a causal mask, which sees its own targets.
#pragma once

#include "core/training/tasks/task.h"

#include <vector>

namespace headlight::core {

/// True if tokens can attend to later tokens that the task asks them to predict.
bool seesTargets(const TaskInfo &task, const Architecture &architecture);

/// Removes the target of the last token if all other targets are the next token. It is the only one
/// not in the input, so it would be learned as with a mask.
void leaveOutLast(std::vector<Example> &examples);

/// Returns one example per answer that counts: the tokens up to it, with a target at the last token
/// only. This is what the model has to solve during generation.
std::vector<Example> asWritten(const Example &example);

} // namespace headlight::core
