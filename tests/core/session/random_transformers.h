// Random sessions of every kind of transformer that a file can describe, with numbers and words
// that a careless writer would change.
#pragma once

#include "random_states.h"
#include "transformer/random_transformers.h"

namespace headlight::core::test {

/// Returns a valid session without a JSON document.
inline Session randomSession(std::uint64_t seed, RandomStates &states) {
    Random random(seed);
    Session made;
    Model &model = made.model = randomTransformer(random, seed % 4 == 3);
    model.config.rotary = states.rotary(model.config);
    if (model.config.scale.kind != Scale::Kind::Number)
        model.config.scale.number = 1; // a file stores the number for this kind only
    model.config.temperature = 0.5f + static_cast<float>(states.below(3));
    model.config.softmax = states.coin();
    if (model.hasEncoder() && states.coin())
        model.config.encoderLayerCount = std::ssize(model.parameters.encoder.layers) + 1;
    for (const ParameterId &id : allParameters(model.parameters))
        if (Parameter &parameter = parameterOf(model.parameters, id))
            parameter = states.matrix(parameter->rows(), parameter->columns());
    // As many words as smallVocabulary() has. Some have equal texts.
    std::vector<std::string> words{"[PAD]", "[UNK]", "start", "bank", "水", "\""};
    while (std::ssize(words) < model.vocabulary->size())
        words.push_back(states.coin() ? "naïve" : "bank");
    const bool isLanguage = model.config.outputLayer.kind == OutputLayerKind::Language ||
                            model.config.outputLayer.kind == OutputLayerKind::MaskedLanguage;
    const bool hasWords =
        isLanguage || model.parameters.main.embeddings || model.parameters.encoder.embeddings;
    model.vocabulary = hasWords ? *Vocabulary::create(words) : nullptr;
    words[3] = "money";
    if (model.parameters.encoder.embeddings && states.coin())
        model.sourceVocabulary = *Vocabulary::create(words);
    model.embeddings = std::make_shared<const Embeddings>(
        Embeddings::Given{.width = model.config.tokenWidth(),
                          .words = {},
                          .seed = static_cast<std::uint64_t>(states.below(99)),
                          .deviation = states.coin() ? 0.5f : 0,
                          .ignoreCase = states.coin()});
    made.minimumLength = states.below(5);
    Input &input = made.input;
    input.batch = states.batch(model, model.mainStack(), 1 + states.below(3));
    if (model.hasCrossAttention())
        input.source = states.batch(model, model.sourceStack(), input.batch->count());
    input.masks = states.masks(*input.batch, *input.batch);
    if (model.hasEncoder())
        input.encoderMasks = states.masks(*input.source, *input.source);
    if (model.hasCrossAttention())
        input.crossMasks = states.masks(*input.batch, *input.source);
    input.interventions = states.interventions(model, input);
    return made;
}

} // namespace headlight::core::test
