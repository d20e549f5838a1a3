// Measures whether the attention weights of a trained model can be interpreted, that is, whether
// they point to the origins of its answers.
#pragma once

#include "core/training/tasks/task.h"

namespace headlight::core {

/// For each head of an attention module, returns the share of held-out answers with known origins
/// for which the largest attention weight of the row is on an origin. 0 if the task defines no
/// origins. Errors: as forward().
Result<std::vector<double>> sharesOnOrigins(const Task &task, const Model &model,
                                            const Input &masks, AttentionId attention,
                                            Index examples = 500);

} // namespace headlight::core
