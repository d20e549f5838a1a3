// Which stages a model has, in the order of its computation: what its plan says.
#pragma once

#include "core/transformer/plan/plan.h"

#include <vector>

namespace headlight::core {

/// Whether a trace of the model has the stage at that site. The site of a stage that is in no layer
/// counts for its stack alone.
bool hasStage(const Model &model, Stage stage, AttentionId attention = {});

/// The most columns that a stage of the plan has, but for those over keys.
Index widestOf(const Plan &plan);

/// All that a trace of the model holds, in the order of the computation; HeadOutputs left out.
std::vector<StageId> stagesOf(const Model &model);

} // namespace headlight::core
