// Limits of the engine, and the field that each error names.
#include "core_test.h"
#include "fixture.h"

namespace {

Error refused(const Model &model, const Input &input, std::stop_token stop = {}) {
    const auto trace = forward(model, input, nullptr, std::move(stop));
    REQUIRE_FALSE(trace.ok());
    return trace.error();
}

} // namespace

TEST_CASE("a computation that was stopped gives an error, not half a trace") {
    std::stop_source stop;
    stop.request_stop();
    CHECK(refused(smallModel(), inputOf({"a b"}), stop.get_token()).what == "cancelled");
}

TEST_CASE("numbers that overflow are an error that names the stage, never NaN in a trace") {
    Model model = smallModel();
    AttentionParameters &attention = model.parameters.main.layers[0].selfAttention;
    attention.query = makeParameter(Matrix(4, 4, std::vector<float>(16, 3e38f)));
    CHECK(refused(model, inputOf({"a b"})).where == "layers.0.self_attention.query");
    attention.query = makeParameter(Matrix(4, 4, std::vector<float>(16, 1e30f)));
    attention.key = makeParameter(Matrix(4, 4, std::vector<float>(16, -1e30f)));
    CHECK(refused(model, inputOf({"a b"})).where == "layers.0.self_attention.scores");
}

TEST_CASE("a text beyond the budget is refused with what would fit") {
    const Model model = smallModel();
    std::string text;
    for (int i = 0; i < 30000; ++i)
        text += "w ";
    const Error error = refused(model, inputOf({text}));
    CHECK(error.where == "text");
    CHECK(error.what.text().find("30000 tokens would need") == 0);
    Index fits = 0;
    const auto bytes = [&](Index length) {
        Extent extent(inputOf({"w"}));
        extent.targets = length;
        const Index ends = endsBytes(model, extent);
        return ends <= kLayersTraceBytes ? ends : headsBytes(model, extent);
    };
    while (bytes(fits + 1) <= kTraceBudgetBytes)
        ++fits;
    CHECK(error.remedy == "use at most " + std::to_string(fits) + " tokens with this model");
    CHECK(fits > 10000); // stages over keys hold only the matrix of one head
    CHECK(fits < 30000);
}

TEST_CASE("one layer at a time counts against the budget, not all together") {
    std::string text;
    for (int i = 0; i < 3000; ++i)
        text += "w ";
    const Input input = inputOf({text});
    CHECK(Computable::of(smallModel(12), input).ok());
    CHECK(traceBytes(smallModel(12), Extent(input)) > 2 * kTraceBudgetBytes);
}

TEST_CASE("eight thousand tokens fit where a layer's heads together would not") {
    Model model = smallModel(4);
    model.config.width = 512;
    model.config.heads = 8;
    model.config.headSize = 64;
    const Extent extent(1, 8192, 0);
    CHECK(endsBytes(model, extent) > 6 * kTraceBudgetBytes);
    CHECK(headsBytes(model, extent) < kTraceBudgetBytes);
}

TEST_CASE("no size overflows the budget") {
    Model widest = smallModel(100);
    widest.config.width = kMaxWidth;
    widest.config.heads = 256;
    Extent extent(inputOf({"w"}));
    CHECK(traceBytes(widest, extent) > 0);
    extent.batch = 1000000;
    extent.targets = 4000000;
    extent.batch = Index(1) << 40;
    CHECK(traceBytes(widest, extent) == Index(1) << 62);
    // Embeddings and output [1, 1, 4]; five stages [1, 2, 1, 2], four [1, 2, 1, 1].
    CHECK(traceBytes(smallModel(), Extent(inputOf({"w"}))) == (2 * 4 + 5 * 4 + 4 * 2) * 4);
}

TEST_CASE("the config's fields are named") {
    const auto whereOf = [](auto change) {
        Config config = smallModel().config;
        change(config);
        const Outcome outcome = validate(config);
        return outcome.ok() ? std::string("fine") : outcome.error().where;
    };
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK(whereOf([](Config &) {}) == "fine");
    CHECK(whereOf([](Config &c) { c.width = 0; }) == "model.width");
    CHECK(whereOf([](Config &c) { c.width = kMaxWidth + 1; }) == "model.width");
    CHECK(whereOf([](Config &c) { c.heads = -1; }) == "model.heads");
    CHECK(whereOf([](Config &c) { c.heads = kMaxHeads + 1; }) == "model.heads");
    CHECK(whereOf([](Config &c) { c.headSize = 0; }) == "model.head_size");
    CHECK(whereOf([](Config &c) { c.heads = 256, c.headSize = 256; }) == "model.heads");
    CHECK(whereOf([](Config &c) { c.temperature = 0; }) == "model.temperature");
    CHECK(whereOf([](Config &c) { c.temperature = nan; }) == "model.temperature");
    CHECK(whereOf([](Config &c) { c.scale.number = -1; }) == "model.scale");
    CHECK(whereOf([](Config &c) { c.scale.number = 1e-45f; }) == "model.scale"); // 1/number is ∞
}

TEST_CASE("a matrix that does not fit is named with both shapes") {
    Model model = smallModel(2);
    Random random(1);
    const Input input = inputOf({"a b"});
    AttentionParameters &weights = model.parameters.main.layers[1].selfAttention;
    SUBCASE("wrong shape") {
        weights.key = randomMatrix(random, 3, 4);
        const Error error = refused(model, input);
        CHECK(error.where == "model.layers[1].self_attention.key");
        CHECK(error.what == "the matrix is 3 × 4, expected 4 × 4");
    }
    SUBCASE("missing") {
        weights.value = nullptr;
        CHECK(refused(model, input).where == "model.layers[1].self_attention.value");
    }
    SUBCASE("a bias of the wrong size") {
        weights.queryBias = randomMatrix(random, 1, 3);
        CHECK(refused(model, input).where == "model.layers[1].self_attention.query_bias");
    }
    SUBCASE("a bias without its matrix") {
        weights.output = nullptr;
        weights.outputBias = randomMatrix(random, 1, 4);
        CHECK(refused(model, input).where == "model.layers[1].self_attention.output_bias");
    }
    SUBCASE("layers that do not fit together") {
        model.config.headSize = 3;
        model.parameters.main.layers = {randomLayer(random, model.config, false),
                                        randomLayer(random, model.config)};
        CHECK(refused(model, input).where == "model.layers[0].self_attention.output");
    }
    SUBCASE("own embeddings") {
        const Input own{input.batch->withEmbeddings(0, randomMatrix(random, 2, 3)), {}};
        CHECK(refused(model, own).where == "batch.sequences[0].embeddings");
    }
    SUBCASE("no embeddings at all") {
        model.embeddings = nullptr;
        CHECK(refused(model, input).where == "model.embeddings");
    }
}
