// Random transformers whose gradients can be measured with 32-bit floats: numbers of order 1, no
// sharp bends, and mechanism switches.
#pragma once

#include "random_transformers.h"

namespace headlight::core::test {

struct SmoothCase {
    Model model;
    Input input;
};

inline void smoothConfig(Random &random, Config &config) {
    // ReLU and its square have kinks. Their gradients are compared with PyTorch instead.
    for (Activation *activation : {&config.feedForward.activation, &config.outputLayer.activation})
        if (*activation == Activation::Relu || *activation == Activation::SquaredRelu)
            *activation = Activation::Silu;
    // Large, so that norms do not amplify small vectors without bound.
    config.norm.epsilon = 0.1f;
    constexpr float temperatures[] = {1, 1, 0.7f, 2};
    config.temperature = temperatures[random.next() % 4];
    // Without softmax and norms, the output of a layer is cubic in its input.
    config.softmax = !config.hasNorm() || !oneIn(random, 4);
    config.masking = {};
    if (oneIn(random, 3))
        config.masking = {config.softmax && oneIn(random, 2) ? -1e4f : -2.0f, oneIn(random, 2)};
    if (!config.softmax && oneIn(random, 3))
        config.masking = {};
}

inline void smoothLayer(Random &random, const Config &config, LayerParameters &layer) {
    const bool optional = config.concatenatedWidth() == config.width;
    for (AttentionParameters *attention : {&layer.selfAttention, &layer.crossAttention})
        if (attention->query && optional && oneIn(random, 3))
            attention->output = attention->outputBias = nullptr;
}

inline BatchPointer perhapsOwnEmbeddings(Random &random, const BatchPointer &batch, Index width) {
    if (!batch || !oneIn(random, 4))
        return batch;
    return batch->withEmbeddings(0, randomMatrix(random, batch->length(), width));
}

inline SmoothCase smoothTransformer(std::uint64_t seed) {
    Random random(seed);
    SmoothCase drawn{randomTransformer(random), {}};
    Model &model = drawn.model;
    smoothConfig(random, model.config);
    for (StackParameters *stack : {&model.parameters.main, &model.parameters.encoder})
        for (LayerParameters &layer : stack->layers)
            smoothLayer(random, model.config, layer);
    Input &input = drawn.input;
    input = randomTransformerInput(random, model);
    input.batch = perhapsOwnEmbeddings(random, input.batch, model.config.tokenWidth());
    input.source = perhapsOwnEmbeddings(random, input.source, model.config.tokenWidth());
    if (oneIn(random, 3))
        input.interventions = randomTransformerInterventions(random, model, input);
    return drawn;
}

} // namespace headlight::core::test
