// What every part of the forward pass works with: the model, what it reads, and the recorder.
#pragma once

#include "core/transformer/stage_recorder.h"

namespace headlight::core {

/// All must live as long as this.
struct Pass {
    StageRecorder &recorder;
    const Model &model;
    const Input &input;
    const TraceMasks &masks;

    const Config &config() const { return model.config; }
    /// The model of the trace before. Only where there is one.
    const Model &before() const { return recorder.previous()->model(); }
    /// The layer's weights in the trace before; empty ones where it had no such layer.
    const LayerWeights &layerBefore(Stack stack, Index layer) const;
};

/// Whether a trace of `before` may lend `now` its stages: each is made from stages of the same
/// names in both, but for those that follow a part which only one of them has (Computed::asNew()).
bool sameStructure(const Config &before, const Config &now);

/// The only row of a bias or gain; nothing where there is none.
inline std::span<const float> rowOf(const Parameter &parameter) {
    return parameter ? parameter->view().row(0) : std::span<const float>();
}

/// out = a + b, of the same shape.
void add(MatrixView a, MatrixView b, MutableMatrixView out);

} // namespace headlight::core
