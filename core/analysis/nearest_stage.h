// Which stage to show instead of one that a model does not have.
#pragma once

#include "core/transformer/plan/model_stages.h"

namespace headlight::core {

/// The stage itself where the site has it; else the nearest that it has, rather one before it.
Stage nearestStage(const Model &model, Stage stage, AttentionId attention);

} // namespace headlight::core
