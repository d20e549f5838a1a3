// Training examples for models without a causal mask, which can see their own targets.
#pragma once

#include "core/training/tasks/task.h"

#include <vector>

namespace headlight::core {

/// True if tokens can attend to later tokens that they have to predict.
bool seesTargets(const TaskInfo &task, const Architecture &architecture);

/// If all other targets are the next token, removes the target of the last token. That target is
/// the only one that the input does not contain, so the model would have to learn it as if there
/// were a mask.
void leaveOutLast(std::vector<Example> &examples);

/// Returns one example per answer that counts: the tokens up to that answer, with a target only at
/// the last token. These are the predictions that generation needs.
std::vector<Example> asWritten(const Example &example);

} // namespace headlight::core
