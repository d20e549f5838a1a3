#include "core/transformer/pass.h"

#include <algorithm>
#include <functional>

namespace headlight::core {

namespace {

/// Those that turn queries and keys or add to the scores; the others add to the embeddings.
Positions withinAttention(Positions positions) {
    const bool within = positions == Positions::Rotary || positions == Positions::Alibi ||
                        positions == Positions::Relative;
    return within ? positions : Positions::None;
}

} // namespace

const LayerWeights &Pass::layerBefore(Stack stack, Index layer) const {
    static const LayerWeights none;
    const Trace *previous = recorder.previous();
    if (!previous || !before().hasStack(stack) || layer >= before().layerCount(stack))
        return none;
    return before().layer(stack, layer);
}

bool sameStructure(const Config &before, const Config &now) {
    return before.norm == now.norm && before.residual == now.residual &&
           before.feedForward == now.feedForward &&
           withinAttention(before.positions) == withinAttention(now.positions) &&
           before.rotary == now.rotary && before.relative == now.relative &&
           before.groups() == now.groups() && before.head == now.head;
}

void add(MatrixView a, MatrixView b, MutableMatrixView out) {
    for (Index row = 0; row < out.rows; ++row)
        std::ranges::transform(a.row(row), b.row(row), out.row(row).begin(), std::plus());
}

} // namespace headlight::core
