// Which stages a model has, before anything is computed.
#pragma once

#include "core/transformer/model.h"
#include "core/transformer/stage.h"

namespace headlight::core {

/// Whether forward() records the stage at this site.
bool hasStage(const Model &model, Stage stage, Site site);

/// The stage itself where the site has it; else the nearest that it has, rather one before it.
Stage nearestStage(const Model &model, Stage stage, Site site);

/// How many columns the stage's matrices can have at most: what a selected dimension stays within.
Index widestOf(const Model &model, Stage stage);

} // namespace headlight::core
