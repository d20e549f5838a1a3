// Finds a replacement for a stage that a model does not have.
#pragma once

#include "core/transformer/plan/model_stages.h"

namespace headlight::core {

/// Returns the stage itself if the attention module has it, otherwise the nearest stage that it
/// has. This is a later one for stages that only exist before an optional step, else an earlier
/// one.
Stage nearestStage(const Model &model, Stage stage, AttentionId attention);

} // namespace headlight::core
