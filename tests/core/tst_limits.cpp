// Limits of the engine, and the fields that the errors name.
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

TEST_CASE("a text beyond the budget is refused, and the error names the length that fits") {
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
    CHECK(fits > 10000); // because stages over keys are stored for one head only
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

TEST_CASE("rows of logits fit where all logits would not") {
    Model model = smallModel(12);
    model.config.width = 768;
    model.config.heads = 12;
    model.config.headSize = 64;
    model.config.outputLayer.kind = OutputLayerKind::Language;
    model.parameters.main.embeddings = makeParameter(Matrix(50257, 1)); // sizes only
    const Extent extent(1, 2048, 0);
    CHECK(headsBytes(model, extent) > kTraceBudgetBytes);
    CHECK(rowsBytes(model, extent) < kTraceBudgetBytes);
    CHECK(heldBytes(model, extent) == rowsBytes(model, extent));
    CHECK(headsBytes(model, extent) - rowsBytes(model, extent) ==
          2 * 2048 * 50257 * Index(sizeof(float)) - kRowsBytes);
    CHECK(maxTokens(model, Extent(1, 100000, 0)) > 2048);
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
    // Embeddings and output are [1, 1, 4], five stages [1, 2, 1, 2] and four [1, 2, 1, 1].
    CHECK(traceBytes(smallModel(), Extent(inputOf({"w"}))) == (2 * 4 + 5 * 4 + 4 * 2) * 4);
}

TEST_CASE("a matrix that does not fit is named with both shapes") {
    Model model = smallModel(2);
    Random random(1);
    const Input input = inputOf({"a b"});
    AttentionParameters &weights = model.parameters.main.layers[1].selfAttention;
    SUBCASE("a bias without its matrix") {
        weights.output = nullptr;
        weights.outputBias = randomMatrix(random, 1, 4);
        CHECK(refused(model, input).where == "model.layers[1].self_attention.output_bias");
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
