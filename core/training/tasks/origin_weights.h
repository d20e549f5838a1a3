// Whether the weights of a trained model can be read: whether it looks where its answers are from.
#pragma once

#include "core/training/tasks/task.h"

namespace headlight::core {

/// For each head of the site: of the answers of held-out examples, of which the task says what they
/// are from, the share in which the row's largest weight is on one of these keys. Errors: as
/// forward(). 0 where the task says nothing.
Result<std::vector<double>> sharesOnOrigins(const Task &task, const Model &model,
                                            const Input &masks, AttentionId attention,
                                            Index examples = 500);

} // namespace headlight::core
