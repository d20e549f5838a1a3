// Which stages a model has, in the order of its computation, and their shapes.
#pragma once

#include "core/tensor/shape.h"
#include "core/transformer/model.h"
#include "core/transformer/stage.h"

#include <vector>

namespace headlight::core {

/// Whether a trace of the model has the stage at that site. The site of a stage that is in no layer
/// counts for its stack alone. HeadOutputs are there where there is a W_O, on request.
bool hasStage(const Model &model, Stage stage, Site site = {});

/// All that a trace of the model holds, in the order of the computation; HeadOutputs left out.
std::vector<StageAt> stagesOf(const Model &model);

/// How much is read.
struct Extent {
    Index batch = 0;   ///< B
    Index targets = 0; ///< tokens of each sequence that attends
    Index sources = 0; ///< of each second sequence
    explicit Extent(const Input &input);

    Index queries(Site site) const {
        return site.stack == Stack::Encoder || site.stack == Stack::Source ? sources : targets;
    }
    Index keys(Site site) const {
        return site.block == Block::CrossAttention ? sources : queries(site);
    }
};

/// Of a stage that the model has. 0 words where only the vocabulary's embeddings would say how
/// many.
Shape stageShape(const Model &model, const Extent &extent, Stage stage, Site site = {});

} // namespace headlight::core
