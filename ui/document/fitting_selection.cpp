#include "ui/document/fitting_selection.h"

#include <algorithm>

namespace headlight::ui {

namespace {

/// The index if there is one and it exists, else none.
void dropIfOutside(std::optional<core::Index> &index, core::Index count) {
    if (index && (*index < 0 || *index >= count))
        index.reset();
}

} // namespace

core::Selection fittingSelection(core::Selection selection, const DocumentState &state) {
    using core::Index;
    const core::Config &config = state.model.config;
    const auto layers = static_cast<Index>(state.model.weights.main.layers.size());
    const core::Batch &batch = *state.input.batch;
    selection.sequence = std::clamp<Index>(selection.sequence, 0, batch.count() - 1);
    selection.layer = std::clamp<Index>(selection.layer, 0, layers - 1);
    selection.head = std::clamp<Index>(selection.head, 0, config.heads - 1);
    dropIfOutside(selection.query, batch.length());
    dropIfOutside(selection.key, batch.length());
    dropIfOutside(selection.dimension, std::max(config.width, config.concatenatedWidth()));
    if (selection.stage == core::Stage::EmbeddingSum && config.positions == core::Positions::None)
        selection.stage = core::Stage::Embeddings;
    if (selection.stage == core::Stage::MaskedScores && config.masking.afterSoftmax)
        selection.stage = core::Stage::ScaledScores;
    if (selection.stage == core::Stage::UnmaskedWeights && !config.masking.afterSoftmax)
        selection.stage = core::Stage::Weights;
    const auto layer = static_cast<std::size_t>(selection.layer);
    if (selection.stage == core::Stage::Output &&
        !state.model.weights.main.layers[layer].selfAttention.output)
        selection.stage = core::Stage::Concatenated;
    return selection;
}

} // namespace headlight::ui
