// Random transformers: every kind of norm, position, feed-forward network, output layer and source
// sequence.
#pragma once

#include "../random_models.h"
#include "core/transformer/model/parameter_id.h"

namespace headlight::core::test {

inline Norm randomNorm(Random &random) {
    Norm norm;
    norm.kind = static_cast<NormKind>(random.next() % 4);
    norm.place = static_cast<NormPosition>(random.next() % 4);
    norm.epsilon = oneIn(random, 2) ? 1e-5f : 1e-3f;
    norm.final = oneIn(random, 2);
    norm.embedding = oneIn(random, 3);
    return norm;
}

inline RotaryConfig randomRotary(Random &random, Index headSize) {
    RotaryConfig rotary;
    rotary.base = oneIn(random, 2) ? 10000.0f : 100.0f;
    rotary.width = oneIn(random, 2) ? 0 : 2 * between(random, 1, headSize / 2);
    rotary.scaling = static_cast<RotaryScaling>(random.next() % 6);
    if (rotary.scaling == RotaryScaling::LongRope) {
        if (rotary.width == 0)
            rotary.width =
                headSize;     // fixes the width, because encoders may have a different head size
        Random copy = random; // leaves the sequence of `random` unchanged
        for (Index pair = 0; pair < rotary.width / 2; ++pair) {
            rotary.shortFactors.push_back(static_cast<float>(1 + copy.uniform()));
            rotary.longFactors.push_back(static_cast<float>(1 + 9 * copy.uniform()));
        }
    }
    rotary.factor = 2;
    rotary.originalLength = between(random, 2, 16);
    rotary.truncates = rotary.scaling != RotaryScaling::Yarn || rotary.originalLength % 2 == 0;
    return rotary;
}

inline Disentangled randomDisentangled(Random &random, const Norm &norm) {
    Disentangled made;
    made.table.span = between(random, 1, 6);
    if (made.table.span >= 4 && oneIn(random, 2))
        made.table.maximumDistance = made.table.span + between(random, 0, 3);
    made.contentToPosition = !oneIn(random, 3);
    made.positionToContent = !made.contentToPosition || !oneIn(random, 3);
    made.sharesMatrices = oneIn(random, 2);
    made.norm = (norm.kind == NormKind::Layer || norm.kind == NormKind::RootMeanSquare) &&
                !oneIn(random, 4);
    return made;
}

/// Draws latent attention for heads of more than two dimensions.
inline LatentAttention randomLatent(Random &random) {
    LatentAttention latent;
    latent.keyValueSize = between(random, 1, 5);
    latent.querySize = oneIn(random, 3) ? 0 : between(random, 1, 6);
    latent.sharedKeySize = 2;
    latent.epsilon = oneIn(random, 2) ? 1e-6f : 1e-3f;
    return latent;
}

/// Draws sizes and switches. The kind of output layer is drawn last.
inline Config randomTransformerConfig(Random &random) {
    Config config;
    const Index groups[] = {1, 2, 4};
    config.keyValueHeads = groups[random.next() % 3];
    config.heads = config.keyValueHeads * between(random, 1, 3);
    config.headSize = 2 * between(random, 1, 3);
    config.width = between(random, 2, 12);
    config.positions = static_cast<Positions>(random.next() % 6);
    config.scale = {static_cast<Scale::Kind>(random.next() % 3), 2.5f};
    config.sinusoidOrder = oneIn(random, 2) ? SinusoidOrder::Interleaved : SinusoidOrder::Halves;
    config.positionOffset = oneIn(random, 2) ? 0 : 2;
    config.rotary = randomRotary(random, config.headSize);
    config.relative = {between(random, 1, 3) * 4, 40};
    if (oneIn(random, 4))
        for (Index head = 0; head < config.heads; ++head)
            config.alibiSlopes.push_back(static_cast<float>(random.normal()));
    for (Softcap *cap : {&config.scoreCap, &config.logitCap})
        if (oneIn(random, 4))
            cap->limit = static_cast<float>(0.2 + 3 * random.uniform());
    config.norm = randomNorm(random);
    if (config.norm.kind != NormKind::Batch && oneIn(random, 2))
        config.queryKeyNorm = static_cast<QueryKeyNorm>(random.next() % 3);
    config.residual = !oneIn(random, 4);
    config.parallel = !config.normsAfter() && oneIn(random, 3);
    config.sharedNorm = oneIn(random, 2);
    if (oneIn(random, 4))
        config.windows.assign({between(random, 1, 4), 0});
    if (oneIn(random, 4))
        config.valueSize = between(random, 1, 5);
    config.feedForward = {oneIn(random, 4) ? 0 : between(random, 1, 16), randomActivation(random),
                          oneIn(random, 2)};
    config.embeddingWidth = oneIn(random, 3) ? between(random, 1, 9) : 0;
    config.scaleEmbeddings = oneIn(random, 3);
    Random copy = random; // leaves the sequence of `random` unchanged
    for (float *factor : {&config.embeddingFactor, &config.residualFactor, &config.logitDivisor})
        if (oneIn(copy, 4))
            *factor = static_cast<float>(0.3 + 0.6 * copy.uniform());
    if (oneIn(copy, 4))
        config.rotaryLayers.assign({1, 0});
    if (oneIn(copy, 4))
        config.localRotaryBase = 50;
    if (config.groups() == config.heads && !biasScores(config.positions) && oneIn(copy, 2))
        config.disentangled = randomDisentangled(copy, config.norm);
    else if (config.groups() == config.heads && config.queryKeyNorm == QueryKeyNorm::None &&
             config.headSize > 2 && config.rotary.scaling != RotaryScaling::LongRope &&
             oneIn(copy, 2))
        config.latent = randomLatent(copy);
    Random other = copy;           // leaves the sequence of `copy` unchanged
    Random own(other.next() + 17); // for Llama 4, another sequence than `copy`
    if (!config.windows.empty())
        config.chunkedWindows = oneIn(own, 2);
    if (config.positions == Positions::Rotary && oneIn(own, 3))
        config.queryTuning = {0.5f, between(own, 1, 3)};
    if (config.positions == Positions::Rotary && config.norm.kind != NormKind::Batch &&
        config.queryKeyNorm == QueryKeyNorm::None && !config.latent.isOn() && oneIn(own, 3))
        config.queryKeyNorm = QueryKeyNorm::Rotated;
    config.projectsFirst = oneIn(copy, 4);
    if (config.embeddingWidth > 0 && oneIn(copy, 4)) {
        config.embeddingWidth = 3; // one pixel
        config.picture = {between(copy, 1, 3), between(copy, 1, 3), 1,
                          between(copy, 0, 1), {0.5f, 0.25f, 0.5f}, {0.5f, 1, 0.25f}};
    }
    if (config.projectsFirst && !config.picture.isOn() && oneIn(copy, 2)) {
        config.soundBands = between(copy, 1, 3);
        config.embeddingWidth = 2 * config.soundBands;
    }
    if (config.latent.isOn())
        config.rotary.width = config.latent.sharedKeySize;
    if (oneIn(random, 4))
        config.masking = randomMasking(random);
    config.outputLayer.kind = static_cast<OutputLayerKind>(random.next() % 4);
    config.outputLayer.scaled = oneIn(random, 2);
    config.outputLayer.activation = randomActivation(random);
    config.outputLayer.norm = oneIn(random, 2);
    config.outputLayer.classes = between(random, 1, 4);
    config.outputLayer.pooling = static_cast<Pooling>(random.next() % 5);
    config.outputLayer.activatesPooled = config.outputLayer.classes % 2 == 0;
    if (config.outputLayer.kind == OutputLayerKind::None && config.outputLayer.activatesPooled)
        config.outputLayer.kind = OutputLayerKind::Projection;
    return config;
}

/// Draws groups of experts, a shared network, and a first layer without experts.
inline FeedForward likeDeepSeek(Random &random, FeedForward made) {
    made.sigmoidRouter = oneIn(random, 2);
    if (oneIn(random, 2)) {
        made.expertGroups = between(random, 2, 3);
        made.experts = made.expertGroups * between(random, 2, 3);
        made.chosenGroups = between(random, 1, made.expertGroups);
        made.chosen = between(random, 1, made.chosenGroups * (made.experts / made.expertGroups));
    }
    Random own = random; // for Llama 4
    made.scalesInput = oneIn(own, 3);
    made.expertFactor = oneIn(random, 2) ? 1 : 2.5f;
    made.sharedWidth = oneIn(random, 3) ? 0 : between(random, 1, 7);
    if (oneIn(random, 2)) {
        made.denseLayers = 1;
        made.denseWidth = between(random, 1, 9);
    }
    return made;
}

/// Replaces a feed-forward network with experts, which have no gradients yet.
inline Config withExperts(Random &random, Config config) {
    if (config.feedForward.width > 0) {
        config.feedForward.experts = between(random, 1, 4);
        config.feedForward.chosen = between(random, 1, config.feedForward.experts);
        config.feedForward.normalisesExperts = oneIn(random, 2);
        Random copy = random; // leaves the sequence of `random` unchanged
        if (config.feedForward.gated && oneIn(copy, 2)) {
            config.feedForward.limit = static_cast<float>(0.1 + copy.uniform());
            config.feedForward.hiddenOffset = oneIn(copy, 2) ? 1 : 0;
        } else if (oneIn(copy, 2)) {
            config.feedForward = likeDeepSeek(copy, config.feedForward);
        }
    }
    return config;
}

/// Draws the parameters of a config. Optional ones are sometimes left out.
class WeightsDraw {
  public:
    WeightsDraw(Random &random, const Config &config) : m_random(random), m_config(config) {
        Random copy = random; // leaves the sequence of `random` unchanged
        m_hasSinks = oneIn(copy, 3);
    }

    ModelParameters weights(Index layers, Index encoderLayers, bool crosses, Index words,
                            bool hasMatrix) {
        ModelParameters weights;
        weights.main = stack(layers, crosses, hasMatrix ? words : 0);
        const Config config = m_config;
        m_config = config.ofEncoder();
        if (encoderLayers > 0)
            weights.encoder =
                stack(encoderLayers, false, hasMatrix && oneIn(m_random, 2) ? words : 0);
        m_config = config;
        weights.outputLayer = head(words, hasMatrix);
        return weights;
    }

  private:
    Parameter draw(Index rows, Index columns) {
        return randomMatrix(m_random, rows, columns, 1 / std::sqrt(static_cast<double>(rows)));
    }
    Parameter row(Index columns, double around = 0) {
        if (oneIn(m_random, 3))
            return nullptr;
        Matrix numbers = *randomMatrix(m_random, 1, columns, 0.3)->toMatrix();
        for (float &number : numbers.view().row(0))
            number += static_cast<float>(around);
        return makeParameter(std::move(numbers));
    }
    NormParameters norm(Index width, bool has = true) {
        if (!m_config.hasNorm() || !has)
            return {};
        Parameter gain = row(width, 1);
        return {gain, m_config.normHasBias() ? row(width) : nullptr};
    }

    AttentionParameters attention(bool isSelf) {
        const Index c = m_config.width, hd = m_config.queryWidth();
        const Index gd = m_config.groups() * m_config.headSize;
        const Index ofQueries = m_config.queryInput(), ofKeys = m_config.keyInput();
        const Index keys = m_config.groups() * m_config.ownKeySize();
        const Index gv = m_config.groups() * m_config.valueWidth();
        const Index hv = m_config.concatenatedWidth();
        AttentionParameters a{draw(ofQueries, hd),
                              draw(ofKeys, keys),
                              draw(ofKeys, gv),
                              draw(hv, c),
                              row(hd),
                              row(keys),
                              row(gv),
                              row(c)};
        const bool together = m_config.queryKeyNorm == QueryKeyNorm::AllHeads;
        a.queryNorm = norm(together ? hd : m_config.headSize, m_config.normsQueries());
        a.keyNorm = norm(together ? gd : m_config.headSize, m_config.normsQueries());
        a.norm = norm(c, m_config.normsBefore() || m_config.normsAfter());
        a.outputNorm = norm(c, m_config.normsOutput());
        Random copy = m_random; // leaves the sequence of `random` unchanged
        if (m_hasSinks && oneIn(copy, 2))
            a.sinks = randomMatrix(copy, 1, m_config.heads);
        if (m_config.latent.isOn())
            drawLatent(a);
        Random other(copy.next() + static_cast<std::uint64_t>(
                                       hd)); // a separate sequence for the distance vectors
        const auto ofDistances = [&](Index rows) {
            return randomMatrix(other, rows, hd, 1 / std::sqrt(static_cast<double>(rows)));
        };
        if (isSelf && m_config.hasPositionKeys()) {
            a.positionKey = ofDistances(c);
            a.positionKeyBias = oneIn(other, 3) ? nullptr : ofDistances(1);
        }
        if (isSelf && m_config.hasPositionQueries()) {
            a.positionQuery = ofDistances(c);
            a.positionQueryBias = oneIn(other, 3) ? nullptr : ofDistances(1);
        }
        return a;
    }
    /// Draws the parameters of latent attention from a copy of m_random, which leaves the other
    /// draws unchanged.
    void drawLatent(AttentionParameters &a) {
        const LatentAttention &latent = m_config.latent;
        Random copy = m_random;
        Random random(copy.next() + 31);
        const auto matrix = [&](Index rows, Index columns) {
            return randomMatrix(random, rows, columns, 1 / std::sqrt(static_cast<double>(rows)));
        };
        const auto bias = [&](Index columns) {
            return oneIn(random, 2) ? matrix(1, columns) : nullptr;
        };
        const Index c = m_config.width;
        if (latent.compressesQueries()) {
            a.queryCompression = matrix(c, latent.querySize);
            a.queryCompressionBias = bias(latent.querySize);
            a.compressedQueryNorm.gain = bias(latent.querySize);
        }
        a.keyValueCompression = matrix(c, latent.keyValueSize);
        a.keyValueCompressionBias = bias(latent.keyValueSize);
        a.compressedKeyValueNorm.gain = bias(latent.keyValueSize);
        a.sharedKey = matrix(c, latent.sharedKeySize);
        a.sharedKeyBias = bias(latent.sharedKeySize);
    }
    FeedForwardParameters feedForward(Index layer) {
        const Config config = m_config.ofLayer(layer);
        const Index c = config.width, f = config.feedForward.hiddenWidth();
        const Index experts = config.feedForward.experts;
        FeedForwardParameters w;
        if (f == 0)
            return w;
        if (experts > 0)
            w.router = draw(c, experts), w.routerBias = row(experts);
        Random copy = m_random; // leaves the other draws as they are
        if (experts > 0 && oneIn(copy, 2))
            w.routerChoiceBias = randomMatrix(copy, 1, experts, 0.3);
        if (const Index s = config.feedForward.sharedWidth; config.feedForward.hasShared()) {
            if (config.feedForward.gated)
                w.sharedGate = draw(c, s);
            w.sharedHidden = draw(c, s);
            w.sharedOutput = draw(s, c);
        }
        if (config.feedForward.gated) {
            w.gate = draw(c, f);
            w.gateBias = row(f);
        }
        w.hidden = draw(c, f);
        w.hiddenBias = row(f);
        w.output = draw(config.feedForward.width, std::max<Index>(experts, 1) * c);
        w.outputBias = row(std::max<Index>(experts, 1) * c);
        w.norm =
            norm(c, (m_config.normsBefore() || m_config.normsAfter()) && !m_config.sharesNorm());
        w.outputNorm = norm(c, m_config.normsOutput());
        return w;
    }
    StackParameters stack(Index layers, bool crosses, Index words) {
        const Index c = m_config.width, e = m_config.tokenWidth();
        const Index p = m_config.positionWidth();
        StackParameters s;
        const bool onlyCross = crosses && oneIn(m_random, 5);
        for (Index layer = 0; layer < layers; ++layer)
            s.layers.push_back({onlyCross ? AttentionParameters{} : attention(true),
                                crosses ? attention(false) : AttentionParameters{},
                                feedForward(layer)});
        if (words > 0)
            s.embeddings = draw(words, e);
        if (m_config.positions == Positions::Learned)
            s.positions = randomMatrix(m_random, 16, p);
        if (oneIn(m_random, 3))
            s.tokenTypes = randomMatrix(m_random, 2, p);
        s.embeddingNorm = norm(p, m_config.norm.embedding);
        if (m_config.projectsEmbeddings()) {
            const bool convolves = m_config.convolves();
            if (convolves) {
                s.frameConvolution = draw(3 * m_config.soundBands, c);
                s.frameConvolutionBias = row(c);
            }
            s.embeddingProjection = draw(convolves ? 3 * c : e, c);
            s.embeddingProjectionBias = row(c);
        }
        if (m_config.positions == Positions::Relative)
            s.positionBias = randomMatrix(m_random, m_config.relative.buckets, m_config.heads);
        if (m_config.disentangled.isOn()) {
            Random copy = m_random;
            Random other(copy.next() + 7);
            s.distanceEmbeddings = randomMatrix(other, m_config.disentangled.table.rows(), c);
            if (m_config.disentangled.norm && !oneIn(other, 3))
                s.distanceNorm.gain = randomMatrix(other, 1, c);
            if (m_config.disentangled.norm && m_config.normHasBias() && !oneIn(other, 3))
                s.distanceNorm.bias = randomMatrix(other, 1, c);
        }
        s.finalNorm = norm(c, m_config.norm.final);
        return s;
    }
    OutputLayerParameters head(Index words, bool hasMatrix) {
        const Index c = m_config.width, e = m_config.tokenWidth();
        const OutputLayer &head = m_config.outputLayer;
        OutputLayerParameters h;
        if (head.kind == OutputLayerKind::MaskedLanguage) {
            h.transform = draw(c, e);
            h.transformBias = row(e);
            h.norm = norm(e, head.norm);
        }
        if (head.kind == OutputLayerKind::Language ||
            head.kind == OutputLayerKind::MaskedLanguage) {
            const Index in = head.kind == OutputLayerKind::Language ? c : e;
            if (!hasMatrix || in != e || oneIn(m_random, 2))
                h.output = draw(in, words);
            h.outputBias = row(words);
        }
        if (head.kind == OutputLayerKind::Projection) {
            Random copy = m_random; // leaves the other draws as they are
            h.projection = randomMatrix(copy, c, head.classes, 0.5);
        }
        if (head.kind == OutputLayerKind::Classifier) {
            if (oneIn(m_random, 2)) {
                h.pooler = draw(c, c);
                h.poolerBias = row(c);
            }
            h.classifier = draw(c, head.classes);
            h.classifierBias = row(head.classes);
            Random copy = m_random; // leaves the other draws as they are
            if (oneIn(copy, 2)) {
                h.distillationClassifier = randomMatrix(copy, c, head.classes, 0.5);
                if (oneIn(copy, 2))
                    h.distillationClassifierBias = randomMatrix(copy, 1, head.classes);
            }
        }
        return h;
    }

    Random &m_random;
    Config m_config; ///< config of the stack being drawn
    bool m_hasSinks = false;
};

/// Returns "w0" … "w20" and [PAD].
inline VocabularyPointer smallVocabulary() {
    std::vector<std::string> words{"[PAD]"};
    for (int i = 0; i <= 20; ++i)
        words.push_back("w" + std::to_string(i));
    return *Vocabulary::create(std::move(words));
}

/// Returns the config of a language model with residual connections.
inline Config languageConfig(Index width, Index heads, Index headSize) {
    Config config;
    config.width = width;
    config.heads = heads;
    config.headSize = headSize;
    config.residual = true;
    config.outputLayer.kind = OutputLayerKind::Language;
    return config;
}
/// Draws a decoder with an embedding matrix.
inline Model drawnDecoder(Random &random, const Config &config,
                          VocabularyPointer vocabulary = smallVocabulary(), Index layers = 2) {
    Model model;
    model.config = config;
    model.vocabulary = std::move(vocabulary);
    model.parameters =
        WeightsDraw(random, config).weights(layers, 0, false, model.vocabulary->size(), true);
    return model;
}
/// Returns a text of words of smallVocabulary(), some of them equal, under a causal mask.
inline Input causalText(Index tokens) {
    std::vector<std::string> words;
    for (Index t = 0; t < tokens; ++t)
        words.push_back("w" + std::to_string(t * t % 7));
    return {*Batch::ofWords({std::move(words)}), {CausalMask{}}};
}

inline Model randomTransformer(Random &random, bool hasExperts = false) {
    Model model;
    model.config = randomTransformerConfig(random);
    if (hasExperts)
        model.config = withExperts(random, model.config);
    const bool crosses = oneIn(random, 3);
    const Index encoderLayers = crosses && oneIn(random, 2) ? between(random, 1, 2) : 0;
    if (encoderLayers > 0 && oneIn(random, 2))
        model.config.encoder = {
            between(random, 1, 3),
            std::max(2 * between(random, 1, 2),
                     model.config.latent.isOn() ? Index(4) : model.config.rotary.width),
            between(random, 0, 3), 0, between(random, 0, 9)};
    if (model.config.feedForward.width == 0)
        model.config.encoder.feedForwardWidth = 0;
    const Index layers = between(random, 1, 3);
    const bool hasMatrix = oneIn(random, 2);
    model.vocabulary = smallVocabulary();
    model.parameters =
        WeightsDraw(random, model.config)
            .weights(layers, encoderLayers, crosses, model.vocabulary->size(), hasMatrix);
    if (oneIn(random, 4))
        if (const Index more = between(random, 0, 3); model.config.feedForward.denseLayers == 0)
            model.config.layerCount = layers + more;
    model.embeddings = randomEmbeddings(random, model.config.tokenWidth(), 1);
    return model;
}

inline BatchPointer randomBatch(Random &random, const StackParameters &stack, Index count) {
    std::vector<std::string> texts(static_cast<std::size_t>(count));
    for (std::string &text : texts)
        for (Index word = between(random, 1, 9); word > 0; --word)
            text += "w" + std::to_string(between(random, 0, 20)) + " ";
    BatchPointer batch = inputOf(texts).batch;
    for (Index b = 0; stack.tokenTypes && b < count; ++b)
        if (oneIn(random, 2))
            batch = batch->withTokenTypes(b, {0, 1});
    return batch;
}

inline Input randomTransformerInput(Random &random, const Model &model) {
    const Index count = between(random, 1, 3);
    Input input{randomBatch(random, model.parameters.main, count)};
    input.masks = randomMasks(random, input.batch->length());
    if (model.hasCrossAttention()) {
        input.source = randomBatch(random, model.stack(model.sourceStack()), count);
        input.encoderMasks = randomMasks(random, input.source->length());
        input.crossMasks = randomMasks(random, input.source->length());
    }
    return input;
}

/// Draws head states and overridden scores in any attention module.
inline Interventions randomTransformerInterventions(Random &random, const Model &model,
                                                    const Input &input) {
    const std::vector<AttentionId> attentions = model.attentions();
    Interventions done;
    for (Index count = between(random, 0, 3); count > 0; --count) {
        const AttentionId attention = attentions[random.next() % attentions.size()];
        done.setHead(attention, between(random, 0, model.headsOf(attention.stack) - 1),
                     static_cast<HeadState>(random.next() % 4));
    }
    for (Index count = between(random, 0, 4); count > 0; --count) {
        const AttentionId attention = attentions[random.next() % attentions.size()];
        done.setScore({between(random, 0, input.batch->count() - 1), attention.layer,
                       between(random, 0, model.headsOf(attention.stack) - 1),
                       between(random, 0, input.queries(attention).length() - 1),
                       between(random, 0, input.keys(attention).length() - 1),
                       static_cast<float>(3 * random.normal()), attention.block, attention.stack});
    }
    return done;
}

} // namespace headlight::core::test
