// Measures whether the attention weights of a trained model are interpretable: whether they point
// to the origins of its answers.
#pragma once

#include "core/training/tasks/task.h"

namespace headlight::core {

/// Returns for each head of an attention module how often the largest attention weight of a row is
/// on an origin of the answer, as a share of the held-out answers with known origins. 0 if the task
/// defines no origins. Errors: as forward().
Result<std::vector<double>> sharesOnOrigins(const Task &task, const Model &model,
                                            const Input &masks, AttentionId attention,
                                            Index examples = 500);

} // namespace headlight::core
