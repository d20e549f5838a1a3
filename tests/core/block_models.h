// Whole transformers with small random parameters, one of each supported kind.
#pragma once

#include "tests/core/fixture.h"

namespace headlight::core::test {

/// Fills in the parameters that the config requires.
class RandomWeights {
  public:
    RandomWeights(std::uint64_t seed, const Config &config, Index words)
        : m_random(seed), m_config(config), m_words(words) {}

    StackParameters stack(std::size_t layers, bool cross, bool biases) {
        StackParameters stack;
        const Index e = m_config.tokenWidth();
        stack.embeddings = some(m_words, e);
        if (m_config.positions == Positions::Learned)
            stack.positions = some(16, e);
        if (m_config.norm.embedding)
            stack.embeddingNorm = norm(e);
        if (e != m_config.width) {
            stack.embeddingProjection = some(e, m_config.width);
            stack.embeddingProjectionBias = some(1, m_config.width);
        }
        if (m_config.positions == Positions::Relative)
            stack.positionBias = some(m_config.relative.buckets, m_config.heads);
        if (m_config.norm.final)
            stack.finalNorm = norm(m_config.width);
        for (std::size_t layer = 0; layer < layers; ++layer) {
            LayerParameters made;
            made.selfAttention = attention(biases);
            if (cross)
                made.crossAttention = attention(biases);
            if (m_config.feedForward.width > 0)
                made.feedForward = feedForward(biases);
            stack.layers.push_back(made);
        }
        return stack;
    }
    Parameter some(Index rows, Index columns) { return randomMatrix(m_random, rows, columns); }
    NormParameters norm(Index width) {
        NormParameters made{some(1, width), nullptr};
        if (m_config.norm.kind != NormKind::RootMeanSquare)
            made.bias = some(1, width);
        return made;
    }

  private:
    AttentionParameters attention(bool biases) {
        const Index c = m_config.width, d = m_config.headSize;
        const Index wide = m_config.queryWidth(), narrow = m_config.groups() * d;
        const Index values = m_config.groups() * m_config.valueWidth();
        AttentionParameters made;
        made.query = some(c, wide);
        made.key = some(c, narrow);
        made.value = some(c, values);
        made.output = some(m_config.concatenatedWidth(), c);
        if (biases) {
            made.queryBias = some(1, wide);
            made.keyBias = some(1, narrow);
            made.valueBias = some(1, values);
            made.outputBias = some(1, c);
        }
        if (m_config.normsQueries()) {
            const bool together = m_config.queryKeyNorm == QueryKeyNorm::AllHeads;
            made.queryNorm = norm(together ? wide : d);
            made.keyNorm = norm(together ? narrow : d);
        }
        if (m_config.normsBefore() || m_config.normsAfter())
            made.norm = norm(c);
        if (m_config.normsOutput())
            made.outputNorm = norm(c);
        return made;
    }
    FeedForwardParameters feedForward(bool biases) {
        const Index c = m_config.width, f = m_config.feedForward.width;
        FeedForwardParameters made;
        if (m_config.feedForward.gated)
            made.gate = some(c, f);
        made.hidden = some(c, f);
        made.output = some(f, c);
        if (biases) {
            if (made.gate)
                made.gateBias = some(1, f);
            made.hiddenBias = some(1, f);
            made.outputBias = some(1, c);
        }
        if ((m_config.normsBefore() || m_config.normsAfter()) && !m_config.sharesNorm())
            made.norm = norm(c);
        if (m_config.normsOutput())
            made.outputNorm = norm(c);
        return made;
    }

    Random m_random;
    const Config &m_config;
    Index m_words;
};

inline const std::vector<std::string> kBlockWords{"[PAD]", "the", "cat", "sat", "on",
                                                  "a",     "mat", "le",  "chat"};

/// Returns a model of width 8 with four heads of size 2.
inline Model blockModel(std::uint64_t seed, Config config, std::size_t layers, bool biases,
                        std::size_t encoderLayers = 0, bool cross = false) {
    config.width = 8;
    config.heads = 4;
    config.headSize = 2;
    Model model;
    model.config = config;
    auto words = Vocabulary::create(kBlockWords);
    REQUIRE(words.ok());
    model.vocabulary = *words;
    const auto v = static_cast<Index>(kBlockWords.size());
    RandomWeights random(seed, model.config, v);
    model.parameters.main = random.stack(layers, cross || encoderLayers > 0, biases);
    if (encoderLayers > 0) {
        model.parameters.encoder = random.stack(encoderLayers, false, biases);
        model.parameters.encoder.embeddings = nullptr; // shared
    }
    OutputLayerParameters &head = model.parameters.outputLayer;
    const Index e = model.config.tokenWidth();
    switch (config.outputLayer.kind) {
    case OutputLayerKind::None:
        break;
    case OutputLayerKind::Language:
        head.outputBias = biases ? random.some(1, v) : nullptr;
        if (!config.outputLayer.scaled)
            head.output = random.some(config.width, v);
        break;
    case OutputLayerKind::MaskedLanguage:
        head.transform = random.some(config.width, e);
        head.transformBias = random.some(1, e);
        if (config.outputLayer.norm)
            head.norm = random.norm(e);
        head.outputBias = random.some(1, v);
        break;
    case OutputLayerKind::Classifier:
        if (biases) {
            head.pooler = random.some(config.width, config.width);
            head.poolerBias = random.some(1, config.width);
        }
        head.classifier = random.some(config.width, config.outputLayer.classes);
        head.classifierBias = random.some(1, config.outputLayer.classes);
        break;
    }
    return model;
}

inline Input twoSequences() {
    Input input = inputOf({"the cat sat on a mat", "a cat"}, {CausalMask{}});
    input.source = inputOf({"le chat sat", "le chat sat on a"}).batch;
    input.encoderMasks = {PaddingMask{}};
    input.crossMasks = {PaddingMask{}};
    return input;
}

struct BlockCase {
    const char *name;
    Model model;
    Input input;
};

inline std::vector<BlockCase> blockCases() {
    const auto one = [](MaskLayers masks) {
        return inputOf({"the cat sat on a mat", "a cat"}, std::move(masks));
    };
    Config preNorm;
    preNorm.norm = {NormKind::Layer, NormPosition::Before, 1e-5f, true, false};
    preNorm.residual = true;
    preNorm.feedForward = {12, Activation::Gelu, false};
    preNorm.positions = Positions::Sinusoidal;
    preNorm.scaleEmbeddings = true;
    preNorm.outputLayer.kind = OutputLayerKind::Language;
    Config postNorm = preNorm;
    postNorm.norm = {NormKind::Layer, NormPosition::After, 1e-5f, false, true};
    postNorm.positions = Positions::Learned;
    postNorm.positionOffset = 2;
    postNorm.embeddingWidth = 6;
    postNorm.layerCount = 2;
    postNorm.feedForward.activation = Activation::GeluTanh;
    postNorm.outputLayer = {
        OutputLayerKind::MaskedLanguage, false, Activation::Gelu, true, 0, Pooling::First};
    Config rotary;
    rotary.positions = Positions::Rotary;
    rotary.keyValueHeads = 2;
    rotary.norm = {NormKind::RootMeanSquare, NormPosition::Before, 1e-6f, true, false};
    rotary.residual = true;
    rotary.feedForward = {10, Activation::Silu, true};
    rotary.outputLayer.kind = OutputLayerKind::Language;
    Config alibi;
    alibi.positions = Positions::Alibi;
    alibi.norm = {NormKind::Batch, NormPosition::Before, 1e-5f, false, false};
    alibi.residual = true;
    alibi.feedForward = {10, Activation::Relu, false};
    alibi.outputLayer = {
        OutputLayerKind::Classifier, false, Activation::Gelu, false, 3, Pooling::Mean};
    Config unnormed = alibi; // a classifier without a pooler, whose blocks have no residual sum
    unnormed.norm = {};
    unnormed.residual = false;
    unnormed.outputLayer.pooling = Pooling::Last;
    Config batchAfter = alibi;
    batchAfter.norm.place = NormPosition::After;
    batchAfter.outputLayer = {
        OutputLayerKind::MaskedLanguage, false, Activation::Silu, true, 0, Pooling::First};
    Config relative = rotary;
    relative.positions = Positions::Relative;
    relative.relative = {8, 16};
    relative.scale = {Scale::Kind::Off, 1};
    relative.outputLayer.scaled = true;
    relative.scoreCap = relative.logitCap = {0.8f};
    relative.feedForward.activation = Activation::QuickGelu;
    relative.norm.place = NormPosition::BeforeAndOutput;
    relative.valueSize = 3;
    Config parallel = rotary;
    parallel.parallel = parallel.sharedNorm = true;
    parallel.windows = {2, 0};
    parallel.queryKeyNorm = QueryKeyNorm::AllHeads;
    Config sideBySide = preNorm;
    sideBySide.parallel = true;
    sideBySide.queryKeyNorm = QueryKeyNorm::PerHead;
    Config after = rotary;
    after.norm.place = NormPosition::Output;
    Config translator = postNorm;
    translator.embeddingWidth = 0;
    translator.layerCount = 0;
    translator.outputLayer = {};
    translator.feedForward.activation = Activation::SquaredRelu;
    return {
        {"pre-norm", blockModel(1, preNorm, 2, true), one({PaddingMask{}})},
        {"post-norm, shared layers, factorised", blockModel(2, postNorm, 1, true),
         one({PaddingMask{}})},
        {"rotary, grouped, gated", blockModel(3, rotary, 2, false), one({CausalMask{}})},
        {"ALiBi, batch norm, classifier", blockModel(4, alibi, 2, true), one({CausalMask{}})},
        {"neither norm nor residual", blockModel(5, unnormed, 2, false), one({})},
        {"batch norm after", blockModel(6, batchAfter, 1, true), one({PaddingMask{}})},
        {"like T5", blockModel(7, relative, 2, false, 2), twoSequences()},
        {"parallel behind one norm, normed queries", blockModel(10, parallel, 2, false),
         one({CausalMask{}})},
        {"parallel, each head's queries normed", blockModel(11, sideBySide, 2, true),
         one({PaddingMask{}})},
        {"norms of what the blocks make", blockModel(12, after, 1, false), one({CausalMask{}})},
        {"encoder and decoder", blockModel(8, translator, 2, true, 2), twoSequences()},
        {"a second sequence without an encoder", blockModel(9, preNorm, 2, false, 0, true),
         twoSequences()},
    };
}

} // namespace headlight::core::test
