// Random models, masks and interventions from a seed. Every option occurs in some of them.
#pragma once

#include "core/formats/session/data/words.h"
#include "fixture.h"

#include <cmath>

namespace headlight::core::test {

inline Index between(Random &random, Index low, Index high) {
    return low + static_cast<Index>(random.next() % static_cast<std::uint64_t>(high - low + 1));
}

inline bool oneIn(Random &random, std::uint64_t n) {
    return random.next() % n == 0;
}

inline Activation randomActivation(Random &random) {
    return static_cast<Activation>(random.next() % std::size(Words<Activation>::all));
}

inline MaskOptions randomMasking(Random &random) {
    constexpr float values[] = {-std::numeric_limits<float>::infinity(), -1e9f, -1e4f, -2};
    return {values[random.next() % 4], oneIn(random, 3)};
}

inline Config randomConfig(Random &random) {
    Config config;
    config.width = between(random, 1, 12);
    config.heads = between(random, 1, 8);
    config.headSize = between(random, 1, 6);
    config.scale = {static_cast<Scale::Kind>(random.next() % 3),
                    static_cast<float>(0.01 + 5 * random.uniform())};
    config.temperature = static_cast<float>(std::exp(3 * random.normal()));
    config.positions = oneIn(random, 2) ? Positions::None : Positions::Sinusoidal;
    if (oneIn(random, 2))
        config.masking = randomMasking(random);
    config.softmax = !oneIn(random, 4);
    return config;
}

inline EmbeddingsPointer randomEmbeddings(Random &random, Index width, float deviation) {
    return std::make_shared<const Embeddings>(Embeddings::Given{.width = width,
                                                                .words = {},
                                                                .seed = random.next(),
                                                                .deviation = deviation,
                                                                .ignoreCase = false});
}

inline Model randomModel(Random &random) {
    Model model;
    model.config = randomConfig(random);
    const Index layers = between(random, 1, 3);
    for (Index layer = 0; layer < layers; ++layer)
        model.parameters.main.layers.push_back(randomLayer(
            random, model.config, layer + 1 < layers || oneIn(random, 2), oneIn(random, 2)));
    // Sometimes uses large vectors, which saturate some softmax rows.
    const bool large = oneIn(random, 4) && model.config.softmax;
    model.embeddings = randomEmbeddings(random, model.config.width, large ? 300 : 1);
    return model;
}

inline MaskLayer randomMask(Random &random, Index length) {
    switch (random.next() % 7) {
    case 0:
        return CausalMask{};
    case 1:
        return PaddingMask{};
    case 2:
        return WindowMask{between(random, 1, 4), oneIn(random, 2)};
    case 3:
        return PrefixMask{between(random, 0, length)};
    case 4:
        return BlockMask{between(random, 1, 4)};
    case 5:
        return DiagonalMask{};
    default: {
        CellMask cells;
        for (Index said = between(random, 1, 12); said > 0; --said)
            cells.cells.push_back({std::nullopt, between(random, 0, length),
                                   between(random, 0, length), oneIn(random, 3)});
        return cells;
    }
    }
}

inline MaskLayers randomMasks(Random &random, Index length) {
    MaskLayers layers;
    for (Index count = between(random, 0, 3); count > 0; --count)
        layers.push_back(randomMask(random, length));
    return layers;
}

inline ScoreIntervention randomScore(Random &random, const Model &model, const Batch &batch) {
    return {between(random, 0, batch.count() - 1),
            between(random, 0, static_cast<Index>(model.parameters.main.layers.size()) - 1),
            between(random, 0, model.config.heads - 1),
            between(random, 0, batch.length() - 1),
            between(random, 0, batch.length() - 1),
            static_cast<float>(5 * random.normal())};
}

inline Interventions randomInterventions(Random &random, const Model &model, const Batch &batch) {
    Interventions interventions;
    const auto layers = static_cast<Index>(model.parameters.main.layers.size());
    for (Index count = between(random, 0, 3); count > 0; --count)
        interventions.setHead(between(random, 0, layers - 1),
                              between(random, 0, model.config.heads - 1),
                              static_cast<HeadState>(random.next() % 4));
    for (Index count = between(random, 0, 4); count > 0; --count)
        interventions.setScore(randomScore(random, model, batch));
    return interventions;
}

inline Input randomInput(Random &random, const Model &model) {
    std::vector<std::string> texts(static_cast<std::size_t>(between(random, 1, 3)));
    for (std::string &text : texts)
        for (Index word = between(random, 1, 9); word > 0; --word)
            text += "w" + std::to_string(between(random, 0, 20)) + " ";
    Input input = inputOf(texts);
    input.masks = randomMasks(random, input.batch->length());
    if (oneIn(random, 2))
        input.interventions = randomInterventions(random, model, *input.batch);
    return input;
}

} // namespace headlight::core::test
