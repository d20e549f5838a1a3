// Models with a text so long that the trace holds the details of only one layer.
#pragma once

#include "tests/support/large_model.h"
#include "tests/support/opened.h"

namespace headlight::test {

inline ui::OpenedSource sourceOf(core::Model model, core::Input input) {
    ui::OpenedSource opened = withModel(test::opened(""), std::move(model), std::move(input));
    opened.selection = {};
    return opened;
}

/// Returns a model of 24 layers that share their parameters. A trace with all stages would take
/// about 500 MB.
inline ui::OpenedSource longInput(core::Index length = 400) {
    core::Model model = largeModel(16, 8);
    model.parameters.main.layers.resize(24, model.parameters.main.layers.front());
    return sourceOf(std::move(model), {wordBatch(length), {core::CausalMask{}}});
}

/// Like longInput(), but with norms, feed-forward networks and predictions.
inline ui::OpenedSource longDecoder(core::Index length = 400) {
    constexpr core::Index kWidth = 16;
    core::Model model = largeModel(kWidth, 8);
    core::LayerParameters &layer = model.parameters.main.layers.front();
    layer.feedForward.hidden = randomParameter(kWidth, 32, 6);
    layer.feedForward.output = randomParameter(32, kWidth, 7);
    model.parameters.main.layers.resize(24, layer);
    model.config.norm = {core::NormKind::Layer, core::NormPosition::Before, 1e-5f, true, false};
    model.config.residual = true;
    model.config.feedForward = {32, core::Activation::Relu, false};
    model.config.outputLayer.kind = core::OutputLayerKind::Language;
    giveWords(model, length, 8);
    return sourceOf(std::move(model), {wordBatch(length), {core::CausalMask{}}});
}

/// Returns a model of three layers with so many heads that the weights are computed one head at a
/// time, as in a small model with 8,192 tokens.
inline ui::OpenedSource inputByHead() {
    core::Model model = largeModel(64, 64);
    model.parameters.main.layers.resize(3, model.parameters.main.layers.front());
    return sourceOf(std::move(model), {wordBatch(1060), {core::CausalMask{}}});
}

/// Returns a text whose logits are computed one row at a time.
inline ui::OpenedSource longTextOfManyWords(core::Index length = 2048) {
    return sourceOf(manyWordsModel(), {wordBatch(length), {core::CausalMask{}}});
}

} // namespace headlight::test
