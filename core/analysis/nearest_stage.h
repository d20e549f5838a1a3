// Finds a replacement for a stage that a model does not have.
#pragma once

#include "core/transformer/plan/model_stages.h"

namespace headlight::core {

/// Returns the stage itself if the attention module has it, else the nearest one that it has,
/// preferably an earlier one.
Stage nearestStage(const Model &model, Stage stage, AttentionId attention);

} // namespace headlight::core
