#include "core/transformer/model/model.h"

#include "core/tokenizers/word_tokenizer.h"
#include "core/transformer/model/captured_stages.h"

#include <algorithm>

namespace headlight::core {

bool Model::hasCrossAttention() const {
    if (captured)
        return hasCapturedCrossAttention(*captured);
    return std::ranges::any_of(parameters.main.layers, [](const LayerParameters &layer) {
        return layer.crossAttention.query != nullptr;
    });
}

bool Model::hasStack(Stack stack) const {
    switch (stack) {
    case Stack::Main:
        return !hasEncoder();
    case Stack::Encoder:
    case Stack::Decoder:
        return hasEncoder();
    case Stack::SourceEmbeddings:
        return !hasEncoder() && hasCrossAttention();
    }
    return false;
}

const StackParameters &Model::stack(Stack stack) const {
    return stack == Stack::Encoder ? parameters.encoder : parameters.main;
}

Index Model::layerCount(Stack which) const {
    if (which == Stack::SourceEmbeddings)
        return 0;
    const Index declared = which == Stack::Encoder ? config.encoderLayerCount : config.layerCount;
    const auto own = static_cast<Index>(stack(which).layers.size());
    return own > 0 && declared > 0 ? declared : own; // 0 without parameter layers
}

Index Model::weightsLayer(Stack which, Index layer) const {
    const auto own = static_cast<Index>(stack(which).layers.size());
    return layer * own / layerCount(which);
}

Index Model::headsOf(AttentionId attention) const {
    if (!captured)
        return headsOf(attention.stack);
    return capturedHeads(*captured, attention).value_or(1);
}

const AttentionParameters &Model::attentionParameters(AttentionId attention) const {
    const LayerParameters &of = layer(attention.stack, attention.layer);
    return attention.block == Block::SelfAttention ? of.selfAttention : of.crossAttention;
}

bool Model::hasAttention(AttentionId attention) const {
    return hasStack(attention.stack) && attention.layer >= 0 &&
           attention.layer < layerCount(attention.stack) &&
           (captured ? capturedHeads(*captured, attention).has_value()
                     : attentionParameters(attention).query != nullptr);
}

bool Model::hasSinks(AttentionId attention) const {
    return !captured && config.softmax && hasAttention(attention) &&
           attentionParameters(attention).sinks;
}

std::vector<AttentionId> Model::attentions() const {
    std::vector<AttentionId> all;
    for (const Stack stack : {Stack::Encoder, mainStack()})
        for (Index layer = 0; hasStack(stack) && layer < layerCount(stack); ++layer)
            for (const Block block : {Block::SelfAttention, Block::CrossAttention})
                if (hasAttention({layer, block, stack}))
                    all.emplace_back(layer, block, stack);
    return all;
}

const Parameter &Model::embeddingMatrix(Stack stack) const {
    // Audio frames and the decoder's words have different widths.
    const bool own = parameters.encoder.embeddings || config.soundBands > 0;
    return stack == Stack::Encoder && own ? parameters.encoder.embeddings
                                          : parameters.main.embeddings;
}

const Vocabulary *Model::vocabularyOf(Stack stack) const {
    const bool own = stack == Stack::Encoder && sourceVocabulary;
    return own ? sourceVocabulary.get() : vocabulary.get();
}

Result<TokenizedText> tokenized(const Model &model, Stack stack, std::string_view text,
                                std::stop_token stop) {
    if (model.reader)
        return model.reader->read(stack, text, std::move(stop));
    Result<std::vector<Token>> words = splitIntoWords(text, std::move(stop));
    if (!words)
        return words.error();
    return TokenizedText{*std::move(words), std::string(text), true};
}

MaskLayers maskLayersOf(const Config &config, const Input &input, AttentionId attention) {
    MaskLayers layers = input.masksOf(attention);
    const bool isMain =
        attention.block == Block::SelfAttention && attention.stack != Stack::Encoder;
    // A window shows keys that are less than w tokens away in either direction, or the w tokens of
    // a chunk. Only a causal mask of the input hides later tokens.
    if (const Index window = isMain ? config.windowOf(attention.layer) : 0; window > 0)
        layers.insert(layers.begin(), config.chunkedWindows
                                          ? MaskLayer(BlockMask{window})
                                          : MaskLayer(WindowMask{window - 1, true}));
    return layers;
}

} // namespace headlight::core
