// The stages of a model in computation order, taken from its plan.
#pragma once

#include "core/transformer/plan/plan.h"

#include <vector>

namespace headlight::core {

/// True if traces of the model have the stage. For stages outside layers, only the stack of
/// `attention` matters.
bool hasStage(const Model &model, Stage stage, AttentionId attention = {});

/// Returns the maximum number of columns of a stage, except for stages over keys.
Index widestOf(const Plan &plan);

/// Returns all stages of a trace in computation order, except HeadOutputs.
std::vector<StageId> stagesOf(const Model &model);

} // namespace headlight::core
