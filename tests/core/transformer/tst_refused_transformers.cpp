// Impossible models are refused before any computation, with the name of the wrong field.
#include "core/transformer/model/parameter_id.h"
#include "core_test.h"
#include "random_transformers.h"

namespace {

struct DrawnToRefuse {
    Model model;
    Input input;
};

/// Returns a pre-norm encoder-decoder with every part that can be wrong.
DrawnToRefuse encoderDecoder() {
    Random random(5);
    DrawnToRefuse made;
    Config &config = made.model.config;
    config.width = 8;
    config.heads = 4;
    config.headSize = 2;
    config.keyValueHeads = 2;
    config.norm = {NormKind::Layer, NormPosition::Before, 1e-5f, true, false};
    config.residual = true;
    config.feedForward = {6, Activation::Gelu, false};
    config.outputLayer.kind = OutputLayerKind::Language;
    config.positions = Positions::Learned;
    made.model.vocabulary = smallVocabulary();
    WeightsDraw draw(random, config);
    do // draws again if a stack has no self-attention
        made.model.parameters = draw.weights(2, 2, true, made.model.vocabulary->size(), true);
    while (!made.model.parameters.main.layers[0].selfAttention.query);
    made.input = inputOf({"w1 w2 w3", "w4"});
    made.input.source = inputOf({"w5 w6", "w7 w8 w9 w10"}).batch;
    REQUIRE(Computable::of(made.model, made.input).ok());
    return made;
}

std::string whereOf(const std::function<void(Model &, Input &)> &spoil) {
    DrawnToRefuse made = encoderDecoder();
    spoil(made.model, made.input);
    const auto outcome = Computable::of(made.model, made.input);
    REQUIRE_FALSE(outcome.ok());
    CHECK_FALSE(outcome.error().what.empty());
    const auto trace = forward(made.model, made.input);
    REQUIRE_FALSE(trace.ok());
    CHECK(trace.error().text() == outcome.error().text());
    return outcome.error().where;
}

std::string configWhere(const std::function<void(Config &)> &spoil) {
    return whereOf([&](Model &model, Input &) { spoil(model.config); });
}

} // namespace

TEST_CASE("sizes and switches") {
    CHECK(configWhere([](Config &c) { c.keyValueHeads = 3; }) == "model.key_value_heads");
    CHECK(configWhere([](Config &c) { c.keyValueHeads = 8; }) == "model.key_value_heads");
    CHECK(configWhere([](Config &c) { c.keyValueHeads = -1; }) == "model.key_value_heads");
    CHECK(configWhere([](Config &c) { c.residualFactor = 0; }) == "model.residual_factor");
    CHECK(configWhere([](Config &c) { c.embeddingFactor = -1; }) == "model.embedding_factor");
    CHECK(configWhere([](Config &c) { c.logitDivisor = 1e-45f; }) == "model.logit_divisor");
    CHECK(configWhere([](Config &c) { c.rotaryLayers = {2}; }) == "model.rotary_layers");
    CHECK(configWhere([](Config &c) { c.localRotaryBase = 0.5f; }) == "model.local_rotary_base");
    CHECK(configWhere([](Config &c) { c.layerCount = 1000000000; }) == "model.layer_count");
    CHECK(configWhere([](Config &c) { c.layerCount = 1; }) == "model.layer_count");
    CHECK(configWhere([](Config &c) { c.encoderLayerCount = 1000000000; }) ==
          "model.encoder.layer_count");
    CHECK(configWhere([](Config &c) { c.heads = 0; }) == "model.heads");
    CHECK(configWhere([](Config &c) { c.width = Index(1) << 40; }) == "model.width");
    CHECK(configWhere([](Config &c) { c.feedForward.width = Index(1) << 40; }) ==
          "model.feed_forward.width");
    CHECK(configWhere([](Config &c) { c.embeddingWidth = -2; }) == "model.embedding_width");
    CHECK(configWhere([](Config &c) { c.norm.epsilon = -1; }) == "model.norm.epsilon");
    CHECK(configWhere([](Config &c) { c.positionOffset = -1; }) == "model.position_offset");
    CHECK(configWhere([](Config &c) { c.outputLayer = {.kind = OutputLayerKind::Classifier}; }) ==
          "model.head.classes");
    const auto sound = [](Index bands, Index width, bool isFirst) {
        return configWhere([=](Config &c) {
            c.soundBands = bands;
            c.embeddingWidth = width;
            c.projectsFirst = isFirst;
        });
    };
    CHECK(sound(3, 5, true) == "model.sound_bands");
    CHECK(sound(-1, 0, false) == "model.sound_bands");
    CHECK(sound(513, 1026, true) == "model.sound_bands");
    CHECK(sound(4, 8, true) == "model.frame_convolution");
    CHECK(configWhere([](Config &c) {
              c.soundBands = 6;
              c.embeddingWidth = 12;
              c.projectsFirst = true;
              c.picture = {1, 1, 2, 0, {0, 0, 0}, {1, 1, 1}};
          }) == "model.picture");
    CHECK(configWhere([](Config &c) { c.disentangled.norm = true; }) == "model.disentangled.span");
    CHECK(configWhere([](Config &c) { c.headSize = 16384; }) == "model.heads");
    CHECK(configWhere([](Config &c) { c.queryTuning.strength = -1; }) == "model.query_tuning");
    CHECK(configWhere([](Config &c) { c.queryTuning.strength = NAN; }) == "model.query_tuning");
    CHECK(configWhere([](Config &c) { c.queryTuning.length = 0; }) == "model.query_tuning_length");
}

TEST_CASE("heads together may be wider than the widest model") {
    Config config; // like DeepSeek-V3
    config.width = 7168;
    config.heads = 128;
    config.headSize = 192;
    CHECK(validate(config).ok());
    config.headSize = 384;
    CHECK_FALSE(validate(config).ok());
}

TEST_CASE("rotary and relative positions") {
    const auto rotary = [](const std::function<void(RotaryConfig &)> &spoil) {
        return configWhere([&](Config &c) {
            c.positions = Positions::Rotary;
            spoil(c.rotary);
        });
    };
    CHECK(rotary([](RotaryConfig &r) { r.width = 1; }) == "model.rotary.width");
    CHECK(rotary([](RotaryConfig &r) { r.width = 4; }) == "model.rotary.width");
    CHECK(rotary([](RotaryConfig &r) { r.width = -2; }) == "model.rotary.width");
    CHECK(rotary([](RotaryConfig &r) { r.base = 0; }) == "model.rotary.base");
    CHECK(rotary([](RotaryConfig &r) { r.factor = 0; }) == "model.rotary.factor");
    CHECK(rotary([](RotaryConfig &r) { r.scaling = RotaryScaling::Yarn; }) ==
          "model.rotary.original_length");
    const auto longRope = [&](std::vector<float> shorter, std::vector<float> longer, Index length) {
        return rotary([&](RotaryConfig &r) {
            r.scaling = RotaryScaling::LongRope;
            r.shortFactors = shorter;
            r.longFactors = longer;
            r.originalLength = length;
        });
    };
    CHECK(longRope({1, 1}, {1}, 4) == "model.rotary.short_factors");
    CHECK(longRope({1}, {}, 4) == "model.rotary.long_factors");
    CHECK(longRope({1}, {0}, 4) == "model.rotary.long_factors");
    CHECK(longRope({1}, {1}, 1) == "model.rotary.original_length");
    CHECK(configWhere([](Config &c) {
              c.positions = Positions::Rotary;
              c.headSize = 3;
          }) == "model.head_size");
    CHECK(configWhere([](Config &c) {
              c.positions = Positions::Relative;
              c.relative.buckets = 3;
          }) == "model.relative.buckets");
    CHECK(configWhere([](Config &c) {
              c.positions = Positions::Relative;
              c.relative.maximumDistance = 3;
          }) == "model.relative.maximum_distance");
    CHECK(configWhere([](Config &c) { c.positions = Positions::Relative; }) ==
          "model.position_embeddings"); // no longer used by the model
}

TEST_CASE("every matrix must fit, and no required matrix may be missing") {
    const DrawnToRefuse made = encoderDecoder();
    for (const ParameterId &id : allParameters(made.model.parameters)) {
        const std::string name = nameOf(id);
        CAPTURE(name);
        const bool isThere = parameterOf(made.model.parameters, id) != nullptr;
        const std::string where = whereOf([&](Model &model, Input &) {
            parameterOf(model.parameters, id) = makeParameter(Matrix(3, 77));
        });
        if (id.stack == Stack::Encoder && id.block == Block::CrossAttention)
            CHECK(where ==
                  "model.encoder.layers[" + std::to_string(id.layer) + "].cross_attention");
        else
            CHECK(where.ends_with(name.substr(name.rfind('.') + 1)));
        if (isThere && (id.which == ParameterKind::Hidden || id.which == ParameterKind::Key ||
                        id.which == ParameterKind::Positions))
            CHECK(whereOf([&](Model &model, Input &) {
                      parameterOf(model.parameters, id) = nullptr;
                  }) == where);
    }
}

TEST_CASE("second sequences") {
    CHECK(whereOf([](Model &, Input &input) { input.source = nullptr; }) == "source");
    CHECK(whereOf([](Model &, Input &input) { input.source = inputOf({"w1"}).batch; }) == "source");
    CHECK(whereOf([](Model &model, Input &) {
              for (LayerParameters &layer : model.parameters.main.layers)
                  layer.crossAttention = {};
          }) == "model.layers[0].cross_attention");
    CHECK(whereOf([](Model &model, Input &) {
              model.parameters.main.layers[1].crossAttention = {};
          }) == "model.layers[1].cross_attention");
    CHECK(whereOf([](Model &model, Input &) {
              model.parameters.encoder.layers[1].crossAttention =
                  model.parameters.main.layers[1].crossAttention;
          }) == "model.encoder.layers[1].cross_attention");
    CHECK(whereOf([](Model &model, Input &) {
              model.parameters.encoder = {};
              for (LayerParameters &layer : model.parameters.main.layers)
                  layer.crossAttention = {};
          }) == "source");
}

TEST_CASE("words, token types and positions that the model does not have") {
    CHECK(whereOf([](Model &, Input &input) {
              input.batch = inputOf({"w1 xylophone", "w2"}).batch;
          }) == "batch.sequences[0]");
    CHECK(whereOf([](Model &, Input &input) {
              input.source = inputOf({"w1", "w2 xylophone"}).batch;
          }) == "source.sequences[1]");
    CHECK(whereOf([](Model &model, Input &) { model.vocabulary = nullptr; }) == "model.vocabulary");
    CHECK(whereOf([](Model &, Input &input) {
              input.batch = input.batch->withTokenTypes(1, {7});
          }) == "batch.sequences[1].token_types");
    CHECK(whereOf([](Model &, Input &input) {
              input.batch =
                  inputOf({"w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1 w1", "w1"}).batch;
          }) == "batch");
}

TEST_CASE("interventions in an attention module that does not exist") {
    const auto at = [](AttentionId attention) {
        return whereOf([&](Model &, Input &input) {
            input.interventions.setHead(attention, 0, HeadState::Zero);
        });
    };
    CHECK(at({0, Block::SelfAttention, Stack::Main}) == "interventions.heads[0].stack");
    CHECK(at({2, Block::SelfAttention, Stack::Decoder}) == "interventions.heads[0].layer");
    CHECK(at({0, Block::CrossAttention, Stack::Encoder}) == "interventions.heads[0].block");
    CHECK(
        whereOf([](Model &, Input &input) { // 4 keys, 3 queries
            input.interventions.setScore({0, 0, 0, 3, 3, 1, Block::CrossAttention, Stack::Decoder});
        }) == "interventions.scores[0].query");
}

TEST_CASE("an attention whose heads are wider than the model, without an output matrix") {
    DrawnToRefuse made;
    made.model = smallModel();
    Config &config = made.model.config;
    config.headSize = 3;
    Random random(3);
    const LayerParameters layer = randomLayer(random, config, false);
    const auto whereWith = [&](std::vector<LayerParameters> layers, Index count,
                               std::vector<LayerParameters> encoder = {}) {
        Model model = made.model;
        model.parameters.main.layers = std::move(layers);
        model.parameters.encoder.layers = std::move(encoder);
        model.config.layerCount = count;
        Input input = inputOf({"w1 w2"});
        if (model.hasCrossAttention())
            input.source = inputOf({"w3 w4 w5"}).batch;
        const auto outcome = Computable::of(model, input);
        return outcome ? std::string() : outcome.error().where;
    };
    const LayerParameters crossing{{}, layer.selfAttention, {}};
    const LayerParameters whole = randomLayer(random, config);
    const LayerParameters both{layer.selfAttention, whole.selfAttention, {}};
    const LayerParameters reads{whole.selfAttention, whole.selfAttention, {}};
    CHECK(whereWith({layer}, 0) == "");
    CHECK(whereWith({crossing}, 0) == "");
    CHECK(whereWith({layer, layer}, 0) == "model.layers[0].self_attention.output");
    CHECK(whereWith({layer}, 2) == "model.layers[0].self_attention.output");
    CHECK(whereWith({crossing, crossing}, 0) == "model.layers[0].cross_attention.output");
    CHECK(whereWith({both}, 0) == "model.layers[0].self_attention.output");
    CHECK(whereWith({reads}, 0, {layer}) == "model.encoder.layers[0].self_attention.output");
    CHECK(whereWith({reads}, 0, {whole}) == "");
}

TEST_CASE("words of an encoder that shares the decoder's embeddings") {
    const auto numbered = [](Index count, const std::string &letter) {
        std::vector<std::string> words{"[PAD]"};
        for (Index i = 1; i < count; ++i)
            words.push_back(letter + std::to_string(i));
        return *Vocabulary::create(std::move(words));
    };
    const auto shareWords = [&](Model &model, Input &input, Index more, const std::string &text) {
        model.sourceVocabulary = numbered(model.vocabulary->size() + more, "s");
        model.parameters.encoder.embeddings = nullptr;
        input.source = inputOf({text, "s1"}).batch;
    };
    DrawnToRefuse made = encoderDecoder();
    shareWords(made.model, made.input, 0, "s1 s2");
    CHECK(Computable::of(made.model, made.input).ok());
    CHECK(whereOf([&](Model &model, Input &input) {
              shareWords(model, input, 0, "s1 w2"); // a word of the decoder's vocabulary
          }) == "source.sequences[0]");
    for (const Index more : {-1, 1, 90})
        CHECK(whereOf([&](Model &model, Input &input) {
                  shareWords(model, input, more, "s1 s2");
              }) == "model.encoder.vocabulary");
}

TEST_CASE("RMS norm has no bias") {
    CHECK(whereOf([](Model &model, Input &) {
              model.config.norm.kind = NormKind::RootMeanSquare;
              model.parameters.main.finalNorm.bias = makeParameter(Matrix(1, 8));
          }).ends_with("norm_bias"));
    DrawnToRefuse made = encoderDecoder();
    made.model.config.norm.kind = NormKind::RootMeanSquare;
    dropWithoutPlace(made.model.parameters, made.model.config);
    CHECK(Computable::of(made.model, made.input).ok());
}

TEST_CASE("a text that is too long is not reported to have no tokens") {
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += "w1 ";
    Random random(3);
    Model model = smallModel();
    const LayerParameters layer = randomLayer(random, model.config);
    model.parameters.main.layers = {{layer.selfAttention, layer.selfAttention, {}}};
    model.parameters.encoder.layers = {layer};
    Input input = inputOf({text});
    input.source = input.batch;
    const auto outcome = Computable::of(model, input);
    REQUIRE_FALSE(outcome.ok());
    CHECK(outcome.error().remedy == "use fewer or shorter texts");
}
