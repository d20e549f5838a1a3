// Complete transformers with small random parameters, one of each supported kind.
#pragma once

#include "core/transformer/model/parameter_table.h"
#include "tests/core/fixture.h"

namespace headlight::core::test {

inline const std::vector<std::string> kBlockWords{"[PAD]", "the", "cat", "sat", "on",
                                                  "a",     "mat", "le",  "chat"};

/// True for parameters that only self-attention has.
inline bool isOfDistances(ParameterKind which) {
    return which == ParameterKind::PositionKey || which == ParameterKind::PositionKeyBias ||
           which == ParameterKind::PositionQuery || which == ParameterKind::PositionQueryBias;
}

/// Returns a model of width 8 with four heads of size 2, or 4 if its attention is latent.
inline Model blockModel(std::uint64_t seed, Config config, std::size_t layers, bool biases,
                        std::size_t encoderLayers = 0, bool cross = false) {
    config.width = 8;
    config.heads = 4;
    config.headSize = config.latent.isOn() ? 4 : 2; // some of the dimensions are shared
    Model model;
    model.config = config;
    auto words = Vocabulary::create(kBlockWords);
    REQUIRE(words.ok());
    model.vocabulary = *words;
    const auto v = static_cast<Index>(kBlockWords.size());
    const OutputLayer &head = config.outputLayer;
    const auto isWanted = [&](const ParameterId &id, const ParameterInfo &info) {
        if (partOf(id.which) == ParameterPart::Attention && id.block == Block::CrossAttention)
            return id.stack == Stack::Main && (cross || encoderLayers > 0) &&
                   (biases || info.form != ParameterForm::Bias) && !isOfDistances(id.which);
        switch (id.which) {
        case ParameterKind::TokenTypes:
            return false;
        case ParameterKind::Embeddings:
            // Both stacks share the embeddings, unless the encoder reads audio.
            return id.stack == Stack::Main || config.soundBands > 0;
        case ParameterKind::OutputMatrix: // otherwise, the matrix is tied
            return head.kind == OutputLayerKind::Language && !head.scaled;
        case ParameterKind::Sinks:
            return config.feedForward.changesGate(); // like GPT-OSS
        case ParameterKind::RouterChoiceBias:
            return config.feedForward.sigmoidRouter && !config.feedForward.scalesInput;
        case ParameterKind::OutputMatrixBias:
            return biases || head.kind == OutputLayerKind::MaskedLanguage;
        case ParameterKind::Pooler:
            return biases;
        case ParameterKind::FrameConvolutionBias:
        case ParameterKind::DistillationClassifier:
        case ParameterKind::DistillationClassifierBias:
            return head.kind == OutputLayerKind::Classifier &&
                   head.pooling == Pooling::First; // like DeiT
        case ParameterKind::EmbeddingProjectionBias:
        case ParameterKind::PredictionTransformBias:
        case ParameterKind::ClassifierBias:
            return true;
        default:
            return biases || info.form != ParameterForm::Bias;
        }
    };
    Random random(seed);
    model.parameters.main.layers.resize(layers);
    model.parameters.encoder.layers.resize(encoderLayers);
    for (const ParameterId &id : allParameters(model.parameters)) {
        const ParameterInfo &info = infoOf(id.which);
        const Config own = configFor(config, id);
        if (!info.hasPlace(own) || !isWanted(id, info))
            continue;
        const Index rows = info.rows(own, v);
        parameterOf(model.parameters, id) =
            randomMatrix(random, rows == kAnyRows ? 16 : rows, info.columns(own, v));
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
    Config twice = preNorm; // two classifiers, like DeiT
    twice.outputLayer = {
        OutputLayerKind::Classifier, false, Activation::Gelu, false, 3, Pooling::First};
    Config shared = preNorm; // like CLIP
    shared.norm.embedding = true;
    shared.outputLayer = {OutputLayerKind::Projection, false, Activation::Gelu, false, 5,
                          Pooling::LargestId};
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
    Config scaled = rotary; // like Granite, Gemma 3 and SmolLM3
    scaled.embeddingFactor = 12;
    scaled.residualFactor = 0.22f;
    scaled.logitDivisor = 8;
    scaled.windows = {2, 0, 0};
    scaled.rotaryLayers = {1, 1, 0};
    scaled.localRotaryBase = 100;
    Config scaledParallel = scaled;
    scaledParallel.parallel = true;
    scaledParallel.scaleEmbeddings = true;
    Config windowed = preNorm; // like ModernBERT
    windowed.norm.skipsFirst = true;
    windowed.windows = {0, 2};
    Config disentangled = postNorm; // like DeBERTa
    disentangled.positions = Positions::None;
    disentangled.embeddingWidth = 0;
    disentangled.layerCount = 0;
    disentangled.disentangled = {{4, 6}, true, true, true, true};
    Config oneWay = rotary; // disentangled, with rotations and separate matrices
    oneWay.keyValueHeads = 0;
    oneWay.disentangled = {{3, 0}, false, true, false, false};
    Config latent = rotary; // like DeepSeek
    latent.keyValueHeads = 0;
    latent.latent = {3, 5, 2, 1e-6f};
    latent.rotary.width = 2;
    latent.valueSize = 3;
    Config unrotated = preNorm;
    unrotated.latent = {4, 0, 1, 1e-3f};
    Config chunked = rotary; // like Llama 4, without its experts
    chunked.queryKeyNorm = QueryKeyNorm::Rotated;
    chunked.rotaryLayers = {1, 0};
    chunked.windows = {3, 0};
    chunked.chunkedWindows = true;
    chunked.queryTuning = {0.4f, 2};
    Config sound = preNorm; // like Whisper's encoder
    sound.soundBands = 3;
    sound.projectsFirst = true;
    sound.embeddingWidth = 6;
    sound.scaleEmbeddings = false;
    sound.outputLayer = {
        OutputLayerKind::Classifier, false, Activation::Gelu, false, 3, Pooling::Mean};
    Config transcriber = preNorm; // like Whisper
    transcriber.soundBands = 2;
    transcriber.scaleEmbeddings = false;
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
        {"two classifiers", blockModel(23, twice, 1, false), one({})},
        {"mapped to a shared space", blockModel(24, shared, 1, true), one({CausalMask{}})},
        {"batch norm after", blockModel(6, batchAfter, 1, true), one({PaddingMask{}})},
        {"like T5", blockModel(7, relative, 2, false, 2), twoSequences()},
        {"parallel behind one norm, normed queries", blockModel(10, parallel, 2, false),
         one({CausalMask{}})},
        {"parallel, each head's queries normed", blockModel(11, sideBySide, 2, true),
         one({PaddingMask{}})},
        {"norms of what the blocks make", blockModel(12, after, 1, false), one({CausalMask{}})},
        {"factors, two rotations and none", blockModel(13, scaled, 3, false), one({CausalMask{}})},
        {"no norm before the first attention", blockModel(15, windowed, 2, true),
         one({PaddingMask{}})},
        {"disentangled attention", blockModel(18, disentangled, 2, true), one({PaddingMask{}})},
        {"keys of tokens with queries of distances", blockModel(19, oneWay, 2, true),
         one({CausalMask{}})},
        {"latent attention", blockModel(20, latent, 2, false), one({CausalMask{}})},
        {"latent keys, plain queries", blockModel(21, unrotated, 1, true), one({PaddingMask{}})},
        {"norms after rotation, chunks, tuned queries", blockModel(27, chunked, 2, false),
         one({CausalMask{}})},
        {"parallel with factors", blockModel(14, scaledParallel, 1, true), one({CausalMask{}})},
        {"audio", blockModel(28, sound, 1, true), one({PaddingMask{}})},
        {"a decoder that attends to audio", blockModel(29, transcriber, 1, false, 1),
         twoSequences()},
        {"encoder and decoder", blockModel(8, translator, 2, true, 2), twoSequences()},
        {"a second sequence without an encoder", blockModel(9, preNorm, 2, false, 0, true),
         twoSequences()},
    };
}

/// Returns transformers with experts, which have no gradients and cannot be trained.
inline std::vector<BlockCase> expertCases() {
    Config gated;
    gated.positions = Positions::Rotary;
    gated.norm = {NormKind::RootMeanSquare, NormPosition::Before, 1e-6f, true, false};
    gated.residual = true;
    gated.feedForward = {3, Activation::Silu, true, 5, 2, true};
    gated.outputLayer.kind = OutputLayerKind::Language;
    Config plain = gated;
    plain.feedForward = {4, Activation::Gelu, false, 3, 1, false};
    Config limited = gated; // like GPT-OSS
    limited.feedForward = {3, Activation::QuickGelu, true, 4, 2, true, 0.6f, 1};
    limited.windows = {2, 0};
    limited.rotary.scaling = RotaryScaling::Yarn;
    limited.rotary.factor = 4;
    limited.rotary.originalLength = 9;
    limited.rotary.truncates = false;
    Config inGroups = gated; // like DeepSeek
    inGroups.feedForward = {3, Activation::Silu, true, 6, 2, true};
    inGroups.feedForward.sigmoidRouter = true;
    inGroups.feedForward.expertGroups = 3;
    inGroups.feedForward.chosenGroups = 2;
    inGroups.feedForward.expertFactor = 2.5f;
    inGroups.feedForward.sharedWidth = 4;
    inGroups.feedForward.denseLayers = 1;
    inGroups.feedForward.denseWidth = 5;
    Config scaledInputs = inGroups; // like Llama 4
    scaledInputs.feedForward = {3, Activation::Silu, true, 4, 1};
    scaledInputs.feedForward.sigmoidRouter = scaledInputs.feedForward.scalesInput = true;
    scaledInputs.feedForward.sharedWidth = 4;
    scaledInputs.feedForward.expertLayers = {0, 1};
    scaledInputs.feedForward.denseWidth = 5;
    Config twoScaled = scaledInputs;
    twoScaled.feedForward.chosen = 2;
    twoScaled.feedForward.sharedWidth = 0;
    const Input input = inputOf({"the cat sat on a mat", "a cat"}, {CausalMask{}});
    return {{"gated experts, weights that add up to 1", blockModel(15, gated, 2, false), input},
            {"experts with biases, one for each token", blockModel(16, plain, 1, true), input},
            {"experts in groups beside a network", blockModel(22, inGroups, 2, false), input},
            {"sinks, limited gates", blockModel(17, limited, 2, true), input},
            {"an expert with a scaled input in every other layer",
             blockModel(25, scaledInputs, 2, false), input},
            {"two experts with scaled inputs", blockModel(26, twoScaled, 2, true), input}};
}

} // namespace headlight::core::test
