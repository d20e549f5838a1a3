// The stages of a model in computation order, derived from its plan.
#pragma once

#include "core/transformer/plan/plan.h"

#include <vector>

namespace headlight::core {

/// True if traces of the model have the stage. For stages outside the layers, only the stack of
/// `attention` matters.
bool hasStage(const Model &model, Stage stage, AttentionId attention = {});

/// Returns the largest number of columns of any stage, except stages over keys.
Index widestOf(const Plan &plan);

/// Returns all stages of a trace, except HeadOutputs, in computation order.
std::vector<StageId> stagesOf(const Model &model);

} // namespace headlight::core
