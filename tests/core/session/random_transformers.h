// Random sessions of every kind of transformer that a file can describe.
#pragma once

#include "core/transformer/model/parameter_id.h"
#include "random_states.h"

#include <map>

namespace headlight::core::test {

class RandomTransformers {
  public:
    explicit RandomTransformers(std::uint64_t seed) : m_states(seed) {}

    /// Returns a valid session without a JSON document.
    Session session() {
        Session made;
        made.model = model();
        made.minimumLength = below(5);
        made.input.batch = m_states.batch(made.model, made.model.mainStack(), 1 + below(3));
        Input &input = made.input;
        if (made.model.hasCrossAttention())
            input.source =
                m_states.batch(made.model, made.model.sourceStack(), input.batch->count());
        input.masks = m_states.masks(*input.batch, *input.batch);
        if (made.model.hasEncoder())
            input.encoderMasks = m_states.masks(*input.source, *input.source);
        if (made.model.hasCrossAttention())
            input.crossMasks = m_states.masks(*input.batch, *input.source);
        input.interventions = m_states.interventions(made.model, input);
        return made;
    }

    RandomStates &states() { return m_states; }

  private:
    enum class Kind { OneStack, EncoderDecoder, CrossOnly };

    bool coin() { return m_states.coin(); }
    Index below(Index count) { return m_states.below(count); }
    template <typename Choice>
    Choice any() {
        return m_states.any<Choice>();
    }

    Model model() {
        constexpr Kind kKinds[] = {Kind::OneStack, Kind::OneStack, Kind::EncoderDecoder,
                                   Kind::CrossOnly};
        const Kind kind = kKinds[below(4)];
        Model made;
        made.config = config();
        made.embeddings = std::make_shared<const Embeddings>(
            Embeddings::Given{.width = made.config.tokenWidth(),
                              .words = {},
                              .seed = static_cast<std::uint64_t>(below(99)),
                              .deviation = coin() ? 0.5f : 0,
                              .ignoreCase = coin()});
        const bool language = made.config.outputLayer.kind == OutputLayerKind::Language ||
                              made.config.outputLayer.kind == OutputLayerKind::MaskedLanguage;
        const bool matrix = language || coin();
        if (matrix)
            made.vocabulary = *Vocabulary::create(
                {"[PAD]", "[UNK]", "start", "bank", "水", "\"", coin() ? "a" : "bank"});
        if (matrix && kind == Kind::EncoderDecoder && coin())
            made.sourceVocabulary = *Vocabulary::create({"<unk>", "money", "naïve"});
        made.parameters.main.layers.resize(static_cast<std::size_t>(1 + below(3)));
        if (kind == Kind::EncoderDecoder)
            made.parameters.encoder.layers.resize(static_cast<std::size_t>(1 + below(2)));
        if (coin()) {
            made.config.layerCount = std::ssize(made.parameters.main.layers) + below(3);
            if (kind == Kind::EncoderDecoder)
                made.config.encoderLayerCount = std::ssize(made.parameters.encoder.layers) + 1;
        }
        m_biases = coin();
        fill(made, kind);
        return made;
    }

    Config config() {
        Config config;
        config.heads = Index(1) << below(3);
        config.keyValueHeads = coin() ? config.heads >> below(2) : 0;
        if (config.keyValueHeads == 0)
            config.keyValueHeads = coin() ? 1 : config.heads;
        config.headSize = 2 * (1 + below(2));
        config.width = 1 + below(6);
        config.embeddingWidth = below(3);
        config.scale = {static_cast<Scale::Kind>(below(3)), 1};
        config.temperature = 0.5f + static_cast<float>(below(3));
        config.positions = any<Positions>();
        config.masking = {coin() ? MaskOptions().value : -1e4f, coin()};
        config.softmax = coin();
        config.norm = {any<NormKind>(), any<NormPosition>(), coin() ? 1e-5f : 0, coin(), coin()};
        if (config.norm.kind != NormKind::Batch)
            config.queryKeyNorm = any<QueryKeyNorm>();
        config.residual = coin();
        config.parallel = config.norm.place != NormPosition::After && coin();
        config.sharedNorm = coin();
        for (Index left = below(3); left > 0; --left)
            config.windows.push_back(below(5));
        config.valueSize = below(2) * (1 + below(3));
        config.feedForward = {below(2) * (1 + below(5)), any<Activation>(), coin()};
        config.scaleEmbeddings = coin();
        config.sinusoidOrder = any<SinusoidOrder>();
        config.positionOffset = below(3);
        config.rotary = m_states.rotary(config.headSize);
        config.relative = {4 * (1 + below(3)), 20 + below(9)};
        config.outputLayer = {any<OutputLayerKind>(), coin(),        any<Activation>(), coin(),
                              1 + below(3),           any<Pooling>()};
        return config;
    }

    /// True if the model may lack this parameter.
    bool isOptional(const ParameterId &id, const Model &model) {
        using K = ParameterKind;
        const Config &config = model.config;
        const bool masked = config.outputLayer.kind == OutputLayerKind::MaskedLanguage;
        switch (id.which) {
        case K::Output:
            return config.concatenatedWidth() == config.width;
        case K::OutputBias:
        case K::TokenTypes:
        case K::Pooler:
            return true;
        case K::OutputMatrix: // without it the output is tied
            return model.vocabulary && (masked || config.tokenWidth() == config.width);
        case K::PoolerBias:
            return true;
        default:
            return isRow(id.which);
        }
    }

    void fill(Model &model, Kind kind) {
        ModelParameters &weights = model.parameters;
        for (const ParameterId &id : allParameters(weights)) {
            const bool attention = partOf(id.which) == ParameterPart::Attention;
            const bool cross = id.block == Block::CrossAttention;
            const bool hasIt = !attention || (kind == Kind::OneStack || id.stack == Stack::Encoder
                                                  ? !cross
                                                  : cross || kind == Kind::EncoderDecoder);
            if (!hasIt || !hasPlaceFor(model.config, id))
                continue;
            if (id.which == ParameterKind::Embeddings &&
                (!model.vocabulary || (id.stack == Stack::Encoder && !model.sourceVocabulary)))
                continue;
            if (isOptional(id, model) && !(isRow(id.which) ? m_biases && coin() : coin()))
                continue;
            if (id.which == ParameterKind::OutputBias || id.which == ParameterKind::PoolerBias) {
                const bool bias = id.which == ParameterKind::OutputBias;
                const ParameterId matrix{id.layer,
                                         bias ? ParameterKind::Output : ParameterKind::Pooler,
                                         id.block, id.stack};
                if (!parameterOf(weights, matrix))
                    continue;
            }
            const auto [rows, columns] = sizesOf(id, model);
            parameterOf(weights, id) = m_states.matrix(rows, columns);
        }
    }

    static std::pair<Index, Index> sizesOf(const ParameterId &id, const Model &model) {
        using K = ParameterKind;
        const Config &config = model.config;
        const Index c = config.width, e = config.tokenWidth(), f = config.feedForward.width;
        const Index hd = config.heads * config.headSize;
        const Index gd = config.keyValueHeads * config.headSize;
        const Index gv = config.keyValueHeads * config.valueWidth();
        const bool together = config.queryKeyNorm == QueryKeyNorm::AllHeads;
        const std::pair<Index, Index> queries{1, together ? hd : config.headSize};
        const std::pair<Index, Index> keys{1, together ? gd : config.headSize};
        const bool ofSource = id.stack == Stack::Encoder && model.sourceVocabulary;
        const VocabularyPointer &words = ofSource ? model.sourceVocabulary : model.vocabulary;
        const Index v = words ? words->size() : 0;
        const Index k = config.outputLayer.classes;
        const std::map<K, std::pair<Index, Index>> sizes{
            {K::Query, {c, hd}},
            {K::Key, {c, gd}},
            {K::Value, {c, gv}},
            {K::Output, {config.concatenatedWidth(), c}},
            {K::QueryBias, {1, hd}},
            {K::KeyBias, {1, gd}},
            {K::ValueBias, {1, gv}},
            {K::QueryNormGain, queries},
            {K::QueryNormBias, queries},
            {K::KeyNormGain, keys},
            {K::KeyNormBias, keys},
            {K::Gate, {c, f}},
            {K::Hidden, {c, f}},
            {K::FeedForwardOutput, {f, c}},
            {K::GateBias, {1, f}},
            {K::HiddenBias, {1, f}},
            {K::Embeddings, {v, e}},
            {K::Positions, {30, e}},
            {K::TokenTypes, {3, e}},
            {K::EmbeddingNormGain, {1, e}},
            {K::EmbeddingNormBias, {1, e}},
            {K::EmbeddingProjection, {e, c}},
            {K::PositionBias, {config.relative.buckets, config.heads}},
            {K::PredictionTransform, {c, e}},
            {K::PredictionTransformBias, {1, e}},
            {K::PredictionNormGain, {1, e}},
            {K::PredictionNormBias, {1, e}},
            {K::OutputMatrix,
             {config.outputLayer.kind == OutputLayerKind::MaskedLanguage ? e : c, v}},
            {K::OutputMatrixBias, {1, v}},
            {K::Pooler, {c, c}},
            {K::Classifier, {c, k}},
            {K::ClassifierBias, {1, k}},
        };
        const auto found = sizes.find(id.which);
        return found == sizes.end() ? std::pair(Index(1), c) : found->second;
    }

    RandomStates m_states;
    bool m_biases = false;
};

} // namespace headlight::core::test
