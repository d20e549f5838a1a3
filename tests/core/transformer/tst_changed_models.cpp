// A trace may lend stages to a pass of a changed model only if the change does not affect them.
#include "random_transformers.h"
#include "tests/support/forward.h"

#include <functional>

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

namespace {

struct DrawnToChange {
    Model model;
    Input input;
};

using Edit = std::function<void(Model &)>;

/// Returns a config with post-norm, an embedding norm and an output layer, so that every part reads
/// another one.
Config everything() {
    Config config;
    config.width = 8;
    config.heads = 4;
    config.headSize = 2;
    config.norm = {NormKind::Layer, NormPosition::After, 1e-5f, true, true};
    config.residual = true;
    config.feedForward = {6, Activation::Gelu, false};
    config.outputLayer.kind = OutputLayerKind::Language;
    return config;
}

DrawnToChange drawn(const Config &config, Index layers, Index encoderLayers = 0,
                    bool crosses = false) {
    Random random(9);
    DrawnToChange made;
    made.model.config = config;
    made.model.vocabulary = smallVocabulary();
    do // sometimes a stack without self-attention is drawn
        made.model.parameters =
            WeightsDraw(random, made.model.config)
                .weights(layers, encoderLayers, crosses, made.model.vocabulary->size(), true);
    while (!made.model.parameters.main.layers[0].selfAttention.query);
    made.model.parameters.main.tokenTypes = randomMatrix(random, 2, config.tokenWidth());
    made.input = inputOf({"w1 w2 w3", "w4"});
    if (crosses)
        made.input.source = inputOf({"w5 w6", "w7 w8 w9 w10"}).batch;
    return made;
}

TracePointer run(const Model &model, const Input &input, Detail detail,
                 const TracePointer &previous = nullptr) {
    const auto trace = forward(model, input, previous, {}, detail);
    REQUIRE_MESSAGE(trace.ok(), (trace.ok() ? "" : trace.error().text()));
    return *trace;
}

/// Checks the edit and its inverse, with all or only few stages kept, before and after.
void checkEdit(const DrawnToChange &made, const Edit &edit) {
    Model changed = made.model;
    edit(changed);
    const std::pair<const Model *, const Model *> ways[] = {{&made.model, &changed},
                                                            {&changed, &made.model}};
    for (const auto &[before, after] : ways)
        for (const Detail first : {Detail::Everything, Detail::Ends})
            for (const Detail second : {Detail::Everything, Detail::Ends}) {
                const TracePointer previous =
                    *run(*before, made.input, first)->prepared(Stage::AttentionWeights, 0, 0, 0);
                const TracePointer taken =
                    *run(*after, made.input, second, previous)
                         ->prepared(Stage::AttentionWeights, 0, 0, 0, {}, previous.get());
                const TracePointer fresh = run(*after, made.input, Detail::Everything);
                REQUIRE(taken->names() == fresh->names());
                for (const std::string &name : fresh->names()) {
                    CAPTURE(name);
                    REQUIRE(taken->stage(name).values() == fresh->stage(name).values());
                }
            }
}

} // namespace

TEST_CASE("more layers of the same weights, or fewer") {
    Config config = everything();
    for (const bool normed : {true, false}) {
        CAPTURE(normed);
        config.norm.final = normed;
        checkEdit(drawn(config, 1), [](Model &model) { model.config.layerCount = 3; });
        checkEdit(drawn(config, 1, 1, true),
                  [](Model &model) { model.config.encoderLayerCount = 2; });
        checkEdit(drawn(config, 2), [](Model &model) { model.parameters.main.layers.pop_back(); });
        checkEdit(drawn(config, 2, 2, true),
                  [](Model &model) { model.parameters.encoder.layers.pop_back(); });
    }
}

TEST_CASE("an output matrix less") {
    Config config = everything();
    const Edit takeOut = [](Model &model) {
        model.parameters.main.layers[0].selfAttention.output = nullptr;
        model.parameters.main.layers[0].selfAttention.outputBias = nullptr;
    };
    for (const NormKind kind : {NormKind::None, NormKind::Layer, NormKind::RootMeanSquare})
        for (const NormPosition place : {NormPosition::Before, NormPosition::After})
            for (const bool residual : {true, false}) {
                CAPTURE(kind);
                CAPTURE(place);
                CAPTURE(residual);
                config.norm.kind = kind;
                config.norm.place = place;
                config.residual = residual;
                checkEdit(drawn(config, 2), takeOut);
                checkEdit(drawn(config, 2, 1, true), takeOut);
            }
}

TEST_CASE("a self-attention less") {
    Config config = everything();
    for (const NormPosition place : {NormPosition::Before, NormPosition::After}) {
        CAPTURE(place);
        config.norm.place = place;
        checkEdit(drawn(config, 2, 0, true),
                  [](Model &model) { model.parameters.main.layers[1].selfAttention = {}; });
    }
}

TEST_CASE("other things done to the embeddings before their norm") {
    const DrawnToChange made = drawn(everything(), 1);
    DrawnToChange untyped = made;
    untyped.model.parameters.main.tokenTypes = nullptr;
    checkEdit(made, [](Model &model) { model.parameters.main.tokenTypes = nullptr; });
    checkEdit(untyped, [](Model &model) { model.config.positions = Positions::Sinusoidal; });
    checkEdit(untyped, [](Model &model) { model.config.scaleEmbeddings = true; });
    checkEdit(made, [](Model &model) {
        model.config.norm.embedding = false;
        model.parameters.main.embeddingNorm = {};
    });
}

TEST_CASE("another cap of scores, and of logits") {
    Config config = everything();
    config.scoreCap = config.logitCap = {0.5f};
    const DrawnToChange made = drawn(config, 2);
    checkEdit(made, [](Model &model) { model.config.scoreCap.limit = 0.7f; });
    checkEdit(made, [](Model &model) { model.config.logitCap.limit = 0.7f; });
    checkEdit(made, [](Model &model) { model.config.logitCap = {}; });
}

TEST_CASE("embeddings that are scaled by the width of other layers") {
    Config narrow = everything(), wide = narrow;
    narrow.embeddingWidth = wide.embeddingWidth = 5;
    narrow.scaleEmbeddings = wide.scaleEmbeddings = true;
    wide.width = 12;
    const DrawnToChange made = drawn(narrow, 1), other = drawn(wide, 1);
    checkEdit(made, [&](Model &model) {
        model = other.model;
        model.parameters.main.embeddings = made.model.parameters.main.embeddings;
        model.parameters.main.tokenTypes = made.model.parameters.main.tokenTypes;
    });
}

TEST_CASE("a model without a layer, and its head") {
    DrawnToChange made = drawn(everything(), 1);
    checkEdit(made, [](Model &model) { model.parameters.main.layers.clear(); });
}

TEST_CASE("a head counts once where a key and value of its group change") {
    Config config = everything();
    config.keyValueHeads = 2;
    DrawnToChange made = drawn(config, 1);
    const TracePointer before = run(made.model, made.input, Detail::Everything);
    Parameter &key = made.model.parameters.main.layers[0].selfAttention.key;
    Matrix changed = *key->toMatrix();
    changed(0, 3) += 1; // group 1: heads 2 and 3
    key = makeParameter(std::move(changed));
    CHECK(run(made.model, made.input, Detail::Everything, before)->recomputedHeads() == 2);
}

namespace {

/// Checks that reusing `before` gives the same as a full pass, both ways and with all or only few
/// stages kept.
void checkInputs(const Model &model, const Input &before, const Input &after) {
    for (const Detail detail : {Detail::Everything, Detail::Ends})
        for (const auto &[first, second] :
             {std::pair(&before, &after), std::pair(&after, &before)}) {
            const TracePointer previous = run(model, *first, detail);
            const TracePointer taken = run(model, *second, detail, previous);
            const TracePointer fresh = run(model, *second, Detail::Everything);
            for (const std::string &name : fresh->names()) {
                CAPTURE(name);
                REQUIRE(taken->stage(name).values() == fresh->stage(name).values());
            }
        }
}

} // namespace

TEST_CASE("another rotation") {
    Config config = everything();
    config.positions = Positions::Rotary;
    const DrawnToChange made = drawn(config, 2);
    checkEdit(made, [](Model &model) { model.config.rotary.base = 100; });
    checkEdit(made, [](Model &model) {
        model.config.rotary.scaling = RotaryScaling::Linear;
        model.config.rotary.factor = 2;
    });
    checkEdit(made, [](Model &model) {
        model.config.rotary.scaling = RotaryScaling::Yarn;
        model.config.rotary.originalLength = 2;
        model.config.rotary.attentionFactor = 1.5f; // the frequencies do not change
    });
}

TEST_CASE("another pooling") {
    Config config = everything();
    config.outputLayer.kind = OutputLayerKind::Classifier;
    config.outputLayer.classes = 3;
    const DrawnToChange made = drawn(config, 1);
    for (const Pooling pooling : {Pooling::Last, Pooling::Mean})
        checkEdit(made, [pooling](Model &model) { model.config.outputLayer.pooling = pooling; });
}

TEST_CASE("the same words with other types") {
    const DrawnToChange made = drawn(everything(), 1);
    Input typed = made.input;
    typed.batch = typed.batch->withTokenTypes(0, {0, 1});
    checkInputs(made.model, made.input, typed);
}

TEST_CASE("the same vectors of which fewer are real") {
    Config config = everything();
    Random random(12);
    for (const NormKind kind : {NormKind::Batch, NormKind::Layer})
        for (const OutputLayerKind head :
             {OutputLayerKind::Language, OutputLayerKind::Classifier}) {
            config.norm.kind = kind;
            config.outputLayer.kind = head;
            config.outputLayer.classes = head == OutputLayerKind::Classifier ? 3 : 0;
            config.outputLayer.pooling = Pooling::Last;
            const DrawnToChange made = drawn(config, 1);
            const Parameter vectors = randomMatrix(random, 3, config.tokenWidth());
            const auto inputOfWords = [&](const char *words) {
                Input input = inputOf({words, "w4 w5 w6"});
                input.batch = input.batch->withEmbeddings(0, vectors);
                input.interventions.setHead(0, 1, HeadState::Mean);
                return input;
            };
            checkInputs(made.model, inputOfWords("w1 w2 w3"), inputOfWords("w1 w2 [PAD]"));
        }
}
