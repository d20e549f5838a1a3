// Changes of a transformer that need no new matrices: another switch, or a removed optional part.
#pragma once

#include "random_transformers.h"

namespace headlight::core::test {

/// Changes one switch that requires no new matrices.
inline void turnSwitch(Random &random, Model &model) {
    Config &config = model.config;
    const auto other = [&](bool &flag) { flag = !flag; };
    if (config.outputLayer.kind == OutputLayerKind::Classifier && oneIn(random, 3)) {
        const auto before = static_cast<std::uint64_t>(config.outputLayer.pooling);
        config.outputLayer.pooling = static_cast<Pooling>((before + 1 + random.next() % 4) % 5);
        return;
    }
    switch (random.next() % 22) {
    case 0:
        return other(config.softmax);
    case 1:
        return other(config.residual);
    case 2:
        return other(config.scaleEmbeddings);
    case 3:
        return other(config.outputLayer.scaled);
    case 4:
        config.temperature = oneIn(random, 2) ? 0.5f : 3.0f;
        return;
    case 5:
        config.masking = randomMasking(random);
        return;
    case 6:
        config.scale = {static_cast<Scale::Kind>(random.next() % 3), 1.5f};
        return;
    case 7:
        do
            config.norm.place = static_cast<NormPosition>(random.next() % 4);
        while (config.parallel && config.norm.place == NormPosition::After);
        return dropWithoutPlace(model.parameters, config);
    case 8:
        config.norm.epsilon = 0.01f;
        return;
    case 9:
        if (config.latent.isOn()) {
            config.latent.epsilon = config.latent.epsilon < 1e-2f ? 3e-2f : 1e-6f;
            return;
        }
        config.rotary =
            randomRotary(random, std::min(config.headSize, config.ofEncoder().headSize));
        return;
    case 10:
        config.feedForward.activation = randomActivation(random);
        return;
    case 11:
        config.outputLayer.pooling = static_cast<Pooling>(random.next() % 5);
        return;
    case 12: {
        if (DistanceTable &table = config.disentangled.table; table.span >= 4) {
            table.maximumDistance = table.maximumDistance > 0 ? 0 : table.span + 1;
            return;
        }
        const Positions positions[] = {Positions::None, Positions::Sinusoidal, Positions::Rotary,
                                       Positions::Alibi};
        if (config.positions != Positions::Learned && config.positions != Positions::Relative)
            config.positions = positions[random.next() % (config.disentangled.isOn() ? 3 : 4)];
        return;
    }
    case 13:
        config.scoreCap.limit = config.scoreCap.isOn() ? 0 : 1.5f;
        return;
    case 14:
        config.logitCap.limit = config.logitCap.limit == 2 ? 0.5f : 2;
        return;
    case 15:
        if (config.disentangled.norm) {
            config.disentangled.norm = false;
            return dropWithoutPlace(model.parameters, config);
        }
        config.alibiSlopes.assign(static_cast<std::size_t>(config.heads), 0.3f);
        return;
    case 19:
        for (float *factor :
             {&config.embeddingFactor, &config.residualFactor, &config.logitDivisor})
            *factor = oneIn(random, 2) ? 1 : 0.6f;
        config.norm.skipsFirst = config.embeddingFactor != 1 && !config.parallel;
        return;
    case 20:
        config.rotaryLayers.assign({oneIn(random, 2) ? 0 : 1, 1});
        config.localRotaryBase = oneIn(random, 2) ? 0 : 70;
        if (config.queryTuning.isOn())
            config.queryTuning.strength = config.localRotaryBase > 0 ? 0.9f : 0.3f;
        return;
    case 18:
        if (!config.windows.empty() && config.windows[0] > 1)
            return other(config.chunkedWindows);
        config.windows.assign(1, config.windows.empty() ? 2 : 0);
        return;
    case 16:
        if (config.norm.kind != NormKind::Batch && !config.latent.isOn())
            config.queryKeyNorm = config.queryKeyNorm == QueryKeyNorm::None ? QueryKeyNorm::PerHead
                                                                            : QueryKeyNorm::None;
        return dropWithoutPlace(model.parameters, config);
    case 17:
        config.parallel =
            !config.parallel && config.norm.place != NormPosition::After && !config.norm.skipsFirst;
        return dropWithoutPlace(model.parameters, config);
    default:
        if (config.feedForward.denseLayers > 0)
            return;
        config.layerCount =
            static_cast<Index>(model.parameters.main.layers.size()) + between(random, 0, 2);
        if (model.hasEncoder())
            config.encoderLayerCount =
                static_cast<Index>(model.parameters.encoder.layers.size()) + between(random, 0, 2);
    }
}

/// Removes an optional part, if the model is valid without it.
inline void takeOutPart(Random &random, Model &model, const Input &input) {
    Model without = model;
    StackParameters &stack = model.hasEncoder() && oneIn(random, 2) ? without.parameters.encoder
                                                                    : without.parameters.main;
    LayerParameters &layer = stack.layers[random.next() % stack.layers.size()];
    switch (random.next() % 5) {
    case 0:
        stack.layers.pop_back();
        break;
    case 1:
        layer.selfAttention.output = layer.selfAttention.outputBias = nullptr;
        break;
    case 2:
        layer.selfAttention = {};
        break;
    case 3:
        stack.tokenTypes = nullptr;
        break;
    default:
        without.config.norm.embedding = false;
        dropWithoutPlace(without.parameters, without.config);
    }
    if (!without.attentions().empty() && Computable::of(without, input))
        model = std::move(without);
}

} // namespace headlight::core::test
