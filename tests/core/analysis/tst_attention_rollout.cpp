// Attention rollout and flow, compared with NumPy and by their properties.
#include "core/analysis/attention_flow.h"
#include "core/transformer/run/forward.h"
#include "tests/core/core_test.h"
#include "tests/core/fixture.h"

namespace {

/// Returns Ā of one layer from the weights of its heads, [H, T, T].
TokenMixing mixedOf(const std::vector<float> &weights, std::size_t first, Index heads,
                    Index length) {
    LayerMixing mixing(length);
    for (Index head = 0; head < heads; ++head) {
        const float *const data =
            weights.data() + first + static_cast<std::size_t>(head * length * length);
        mixing.add({data, length, length, length});
    }
    return mixing.mixed();
}

void checkClose(const TokenMixing &numbers, const std::vector<double> &expected) {
    REQUIRE(numbers.values.size() == expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        CHECK(numbers.values[i] == doctest::Approx(expected[i]).epsilon(1e-9));
}

double rowSum(std::span<const double> row) {
    return std::accumulate(row.begin(), row.end(), 0.0);
}

std::vector<TokenMixing> randomLayers(std::size_t count, Index length, bool isCausal) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(0, 1);
    std::vector<TokenMixing> layers;
    for (std::size_t layer = 0; layer < count; ++layer) {
        std::vector<float> weights(static_cast<std::size_t>(length * length));
        for (Index i = 0; i < length; ++i)
            for (Index j = 0; j < (isCausal ? i + 1 : length); ++j)
                weights[static_cast<std::size_t>(i * length + j)] = number(random);
        layers.push_back(mixedOf(weights, 0, 1, length));
    }
    return layers;
}

} // namespace

TEST_CASE("rollout and flow match the reference") {
    std::ifstream file(HEADLIGHT_TEST_DATA "/attention_flow.json");
    const nlohmann::json cases = nlohmann::json::parse(file);
    REQUIRE(cases.size() == 4);
    for (const nlohmann::json &each : cases) {
        const Index heads = each["heads"], length = each["length"];
        const auto weights = each["weights"].get<std::vector<float>>();
        std::vector<TokenMixing> layers;
        for (std::size_t first = 0; first < weights.size();
             first += static_cast<std::size_t>(heads * length * length))
            layers.push_back(mixedOf(weights, first, heads, length));
        REQUIRE(std::ssize(layers) == each["layers"]);
        checkClose(valueOf(rolloutOf(layers)), each["rollout"].get<std::vector<double>>());
        checkClose(valueOf(attentionFlow(layers)), each["flow"].get<std::vector<double>>());
    }
}

TEST_CASE("half of each token stays where it is, and rows sum to one") {
    const std::vector<float> weights{1, 0, 0.25f, 0.75f};
    const TokenMixing mixed = mixedOf(weights, 0, 1, 2);
    checkClose(mixed, {1, 0, 0.125, 0.875});
    // A query without weights keeps its token's own vector. Without softmax, each weight counts by
    // its share of the row's total magnitude.
    checkClose(mixedOf({0, 0, -1, 3}, 0, 1, 2), {1, 0, 0.125, 0.875});
    // Padding is left out.
    LayerMixing padded(1);
    padded.add({weights.data(), 2, 2, 2});
    checkClose(padded.mixed(), {1});
}

TEST_CASE("properties of rollout") {
    for (const bool isCausal : {false, true}) {
        const std::vector<TokenMixing> layers = randomLayers(4, 37, isCausal);
        const TokenMixing rollout = valueOf(rolloutOf(layers));
        for (Index i = 0; i < rollout.size; ++i) {
            CHECK(rowSum(rollout.row(i)) == doctest::Approx(1));
            for (Index j = i + 1; isCausal && j < rollout.size; ++j)
                CHECK(rollout(i, j) == 0);
        }
    }
    // The matrix of the last layer is the leftmost factor.
    const std::vector<TokenMixing> two = randomLayers(2, 3, false);
    double expected = 0;
    for (Index k = 0; k < 3; ++k)
        expected += two[1](0, k) * two[0](k, 2);
    CHECK(valueOf(rolloutOf(two))(0, 2) == doctest::Approx(expected));
}

TEST_CASE("properties of flow") {
    // With one layer, the flow is the weight of the edge.
    const std::vector<TokenMixing> one = randomLayers(1, 6, false);
    checkClose(valueOf(attentionFlow(one)), one.front().values);
    const std::vector<TokenMixing> layers = randomLayers(5, 8, true);
    const TokenMixing flow = valueOf(attentionFlow(layers));
    const TokenMixing rollout = valueOf(rolloutOf(layers));
    bool isMore = false;
    for (Index i = 0; i < flow.size; ++i)
        for (Index j = 0; j < flow.size; ++j) {
            // The flow is at most 1, the capacity above the token, and at least the rollout.
            CHECK(flow(i, j) <= 1 + 1e-9);
            CHECK(flow(i, j) >= rollout(i, j) - 1e-9);
            isMore = isMore || flow(i, j) > rollout(i, j) + 1e-3;
            if (j > i)
                CHECK(flow(i, j) == 0);
        }
    CHECK(isMore); // so rows of flow can sum to more than 1
}

TEST_CASE("flow refuses long texts") {
    const std::vector<TokenMixing> layers{TokenMixing(kMaxFlowTokens + 1)};
    const Result<TokenMixing> flow = attentionFlow(layers);
    REQUIRE_FALSE(flow);
    CHECK(flow.error().text() == "the text has 65 tokens; attention flow is computed for up to 64; "
                                 "use a shorter text, or rollout");
}

TEST_CASE("the rollout of a trace") {
    const TracePointer trace = traceOf(smallModel(3), inputOf({"a b c d", "b c"}, {CausalMask{}}));
    for (const Index sequence : {0, 1}) {
        const auto layers = valueOf(mixedLayers(*trace, Stack::Main, sequence));
        REQUIRE(layers.size() == 3);
        CHECK(layers.front().size == (sequence == 0 ? 4 : 2));
        CHECK(valueOf(attentionRollout(*trace, Stack::Main, sequence)) ==
              valueOf(rolloutOf(layers)));
        const SharedMatrix head0 = trace->matrix(Stage::AttentionWeights, {1}, sequence, 0);
        const SharedMatrix head1 = trace->matrix(Stage::AttentionWeights, {1}, sequence, 1);
        CHECK(layers[1](1, 0) == doctest::Approx((head0(1, 0) + head1(1, 0)) / 4));
    }
    CHECK_FALSE(mixedLayers(*trace, Stack::Encoder, 0));
    std::stop_source source;
    source.request_stop();
    const auto stopped = attentionRollout(*trace, Stack::Main, 0, source.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().what == "cancelled");
}
