// Models and texts of any size with random parameters and numbered words, for tests and benchmarks.
#pragma once

#include "core/random.h"
#include "core/transformer/trace/trace.h"

#include <cmath>

namespace headlight::test {

inline core::Parameter randomParameter(core::Index rows, core::Index columns, std::uint64_t seed) {
    core::Matrix matrix(rows, columns);
    core::Random random(seed);
    for (core::Index row = 0; row < rows; ++row)
        for (float &number : matrix.view().row(row))
            number = static_cast<float>(random.normal() / std::sqrt(static_cast<double>(rows)));
    return core::makeParameter(std::move(matrix));
}

/// Returns "word0", "word1", ….
inline std::vector<std::string> numberedWords(core::Index count) {
    std::vector<std::string> words;
    for (core::Index word = 0; word < count; ++word)
        words.push_back("word" + std::to_string(word));
    return words;
}

/// Makes numberedWords() the model's vocabulary, with a random embedding for each word.
inline void giveWords(core::Model &model, core::Index count, std::uint64_t seed) {
    model.parameters.main.embeddings = randomParameter(count, model.config.width, seed);
    model.embeddings = nullptr;
    model.vocabulary = *core::Vocabulary::create(numberedWords(count));
}

inline core::Model largeModel(core::Index width, core::Index heads) {
    core::Model model;
    model.config.width = width;
    model.config.heads = heads;
    model.config.headSize = width / heads;
    core::AttentionParameters attention;
    attention.query = randomParameter(width, width, 1);
    attention.key = randomParameter(width, width, 2);
    attention.value = randomParameter(width, width, 3);
    attention.output = randomParameter(width, width, 4);
    model.parameters.main.layers.push_back({attention});
    core::Embeddings::Given given;
    given.width = width;
    given.seed = 5;
    model.embeddings = std::make_shared<const core::Embeddings>(std::move(given));
    return model;
}

/// Returns a model of GPT-2's size (Radford et al. 2019): pre-norm layers of width 768 with 12
/// heads, which share their random parameters, and a tied matrix of 50257 words "word0", "word1",
/// ….
inline core::Model gptModel(core::Index layers, core::Index words = 50257) {
    constexpr core::Index width = 768;
    core::Model model;
    core::Config &config = model.config;
    config.width = width;
    config.heads = 12;
    config.headSize = width / config.heads;
    config.layerCount = layers;
    config.norm = {core::NormKind::Layer, core::NormPosition::Before, 1e-5f, true, false};
    config.residual = true;
    config.feedForward = {4 * width, core::Activation::GeluTanh, false};
    config.positions = core::Positions::Learned;
    config.outputLayer.kind = core::OutputLayerKind::Language;
    core::LayerParameters layer;
    layer.selfAttention.query = randomParameter(width, width, 1);
    layer.selfAttention.key = randomParameter(width, width, 2);
    layer.selfAttention.value = randomParameter(width, width, 3);
    layer.selfAttention.output = randomParameter(width, width, 4);
    layer.feedForward.hidden = randomParameter(width, 4 * width, 5);
    layer.feedForward.output = randomParameter(4 * width, width, 6);
    model.parameters.main.layers.push_back(layer);
    model.parameters.main.positions = randomParameter(1024, width, 8);
    giveWords(model, words, 7);
    return model;
}

/// Returns a small model with so many words that the logits of 2,048 tokens would take 541 MB, and
/// the probabilities another 541 MB.
inline core::Model manyWordsModel(core::Index count = 66000) {
    core::Model model = largeModel(4, 2);
    model.config.residual = true;
    model.config.outputLayer.kind = core::OutputLayerKind::Language;
    giveWords(model, count, 8);
    return model;
}

inline core::BatchPointer wordBatch(core::Index length) {
    return *core::Batch::ofWords({numberedWords(length)});
}

} // namespace headlight::test
