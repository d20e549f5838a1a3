// Softmax, and the rows that it reads from traces and custom logits, compared with plain sums. The
// spread of random dot products agrees with the literature.
#include "block_models.h"
#include "core/analysis/softmax_row.h"
#include "core/analysis/softmax_spread.h"
#include "core/cancelled.h"
#include "core/format_number.h"
#include "core/operations/softmax.h"
#include "core/random.h"
#include "core/selection/softmax_look.h"
#include "core_test.h"

#include <numbers>

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

std::vector<float> weightsOf(std::vector<float> scores, float temperature = 1) {
    std::vector<float> weights(scores.size());
    softmax(scores, temperature, weights);
    return weights;
}

std::string printed(const std::vector<float> &row) {
    std::string text;
    for (const float value : row)
        text += (text.empty() ? "" : " ") + rounded(static_cast<double>(value), 2);
    return text;
}

} // namespace

TEST_CASE("the published example, as it is and a hundred times larger") {
    const std::vector<float> scores{0.1f, 0.4f, -0.9f, 0.02f, 0.35f, -0.62f};
    std::vector<float> larger = scores;
    for (float &score : larger)
        score *= 100;
    CHECK(printed(weightsOf(scores)) == "0.18 0.25 0.07 0.17 0.24 0.09");
    CHECK(printed(weightsOf(larger)) == "0 0.99 0 0 0.01 0");
    // A temperature of 100 compensates for the larger scores.
    CHECK(printed(weightsOf(larger, 100)) == "0.18 0.25 0.07 0.17 0.24 0.09");
}

TEST_CASE("minus infinity gives exactly zero") {
    const auto weights = weightsOf({1, -kInfinity, 1, -kInfinity});
    CHECK(weights == std::vector<float>{0.5f, 0, 0.5f, 0});
}

TEST_CASE("a fully masked row is zeros, not NaN") {
    CHECK(weightsOf({-kInfinity, -kInfinity}) == std::vector<float>{0, 0});
    CHECK(weightsOf({}).empty());
}

TEST_CASE("scores that overflowed share the row") {
    CHECK(weightsOf({kInfinity, 3, kInfinity}) == std::vector<float>{0.5f, 0, 0.5f});
}

TEST_CASE("scores beyond the range of exp") {
    CHECK(weightsOf({3e38f, -3e38f}) == std::vector<float>{1, 0});
    CHECK(weightsOf({-3e38f, -3e38f}) == std::vector<float>{0.5f, 0.5f});
    CHECK(weightsOf({5}) == std::vector<float>{1});
}

namespace {

SoftmaxRowFromTrace rowOf(const Trace &trace, const Selection &selection) {
    const auto found = softmaxRowFromTrace(trace, selection);
    REQUIRE(std::holds_alternative<SoftmaxRowFromTrace>(found));
    return std::get<SoftmaxRowFromTrace>(found);
}

SoftmaxRowError reasonOf(const Trace &trace, const Selection &selection) {
    const auto found = softmaxRowFromTrace(trace, selection);
    REQUIRE(std::holds_alternative<SoftmaxRowError>(found));
    return std::get<SoftmaxRowError>(found);
}

Selection selected(Index query, Index head = 0) {
    Selection selection;
    selection.query = query;
    selection.head = head;
    return selection;
}

} // namespace

TEST_CASE("six logits: probabilities, entropy and Jacobian, and a hundred times as large ones") {
    SoftmaxLook look;
    look.logits.assign(kSixLogits.begin(), kSixLogits.end());
    for (const auto &[times, temperature] :
         {std::pair{1.0f, 1.0f}, {10.0f, 1.0f}, {100.0f, 1.0f}, {1.0f, 0.25f}}) {
        CAPTURE(times);
        CAPTURE(temperature);
        look.times = times;
        look.temperature = temperature;
        const SoftmaxRow row = ownRow(look);
        REQUIRE(row.size() == 6);
        long double sum = 0, bits = 0, squares = 0;
        std::vector<long double> p;
        for (const float logit : kSixLogits)
            p.push_back(std::exp(static_cast<long double>(logit * times / temperature)));
        for (const long double each : p)
            sum += each;
        for (std::size_t i = 0; i < p.size(); ++i) {
            p[i] /= sum;
            bits -= p[i] * std::log2(p[i]);
            CHECK(row.probabilities[i] == doctest::Approx(double(p[i])).epsilon(1e-5));
        }
        CHECK(row.entropyBits() == doctest::Approx(double(bits)).epsilon(1e-5));
        CHECK(row.maxEntropyBits() == doctest::Approx(std::log2(6.0)));
        const Matrix jacobian = row.jacobian({0, 1, 2, 3, 4, 5});
        for (std::size_t i = 0; i < p.size(); ++i)
            for (std::size_t j = 0; j < p.size(); ++j) {
                const long double slope = i == j ? p[i] * (1 - p[i]) : -p[i] * p[j];
                squares += slope * slope;
                CHECK(jacobian(Index(i), Index(j)) == doctest::Approx(double(slope)).epsilon(1e-4));
            }
        CHECK(row.jacobianNorm() == doctest::Approx(double(std::sqrt(squares))).epsilon(1e-4));
    }
    look.times = 1;
    look.temperature = 1;
    CHECK(ownRow(look).jacobianNorm() > 0.3);
    look.times = 100;
    CHECK(ownRow(look).jacobianNorm() < 0.015);
    CHECK(ownRow(look).probabilities[1] == doctest::Approx(0.9933).epsilon(1e-4));
}

TEST_CASE("the Jacobian keeps its precision where one weight takes all but a billionth") {
    SoftmaxLook look;
    look.logits = {40, 20, 10}; // p = 1 − 2.06e-9, 2.06e-9, 9.4e-14
    const double p = std::exp(-20.0);
    CHECK(ownRow(look).jacobianNorm() == doctest::Approx(2 * p).epsilon(1e-4));
}

TEST_CASE("a trace's row is what its softmax read, and a score leads to each logit") {
    for (const BlockCase &block : blockCases()) {
        CAPTURE(block.name);
        const TracePointer trace = traceOf(block.model, block.input);
        for (const AttentionId attention : block.model.attentions()) {
            Selection selection = selected(2, 1);
            selection.setAttention(attention);
            const SoftmaxRowFromTrace traced = rowOf(*trace, selection);
            const SoftmaxRow &row = traced.row;
            CHECK(traced.isExplained);
            CHECK(traced.isSelected);
            const auto weights = trace->matrix(Stage::AttentionWeights, attention, 0, 1);
            const Mask &mask = trace->mask(0, attention);
            REQUIRE(static_cast<Index>(row.size()) == weights.columns);
            for (Index key = 0; key < weights.columns; ++key) {
                const auto at = static_cast<std::size_t>(key);
                CHECK(row.probabilities[at] == weights(2, key));
                CHECK(row.hidden[at] == mask.hidden(2, key));
                if (row.hidden[at])
                    continue;
                // Tests the score that the logit already has, and another one within the softcap.
                const auto scores = trace->matrix(Stage::Scores, attention, 0, 1);
                const auto leads = [&](float score, float logit) {
                    const auto found = valueOf(traced.scoreFor(at, logit));
                    CHECK(found == doctest::Approx(score).epsilon(1e-3));
                };
                leads(scores(2, key), row.logits[at]);
                const float score = 0.5f * scores(2, key) + 0.05f;
                Input input = block.input;
                input.interventions.setScore(
                    {0, attention.layer, 1, 2, key, score, attention.block, attention.stack});
                const SoftmaxRowFromTrace after = rowOf(*traceOf(block.model, input), selection);
                leads(score, after.row.logits[at]);
                CHECK(after.setByHand[at]);
            }
        }
    }
}

TEST_CASE("no score gives a logit beyond the cap") {
    SoftmaxRowFromTrace capped;
    capped.cap = 2;
    CHECK_FALSE(capped.scoreFor(0, 2));
    CHECK_FALSE(capped.scoreFor(0, -3));
    CHECK(capped.scoreFor(0, 1.9f));
}

TEST_CASE("without a selected query, the row is the first one that has a choice") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"a b c"}, {CausalMask{}}));
    Selection beyond; // a selection of a newer state than the trace
    beyond.sequence = 3;
    CHECK(std::get<SoftmaxRowError>(softmaxRowFromTrace(*trace, beyond)) ==
          SoftmaxRowError::NoScores);
    const SoftmaxRowFromTrace row = rowOf(*trace, {});
    CHECK(row.query == 1);
    CHECK_FALSE(row.isSelected);
    CHECK(row.row.visible() == 2);
    CHECK(row.row.probabilities[2] == 0);
    CHECK(row.row.maxEntropyBits() == 1);
    CHECK(rowOf(*traceOf(smallModel(), inputOf({"a"}, {CausalMask{}})), {}).query == 0);
    CHECK_FALSE(rowOf(*trace, selected(7)).isSelected); // the trace has no such row
}

TEST_CASE("a key that is hidden after softmax still has a probability") {
    Model model = smallModel();
    model.config.masking.afterSoftmax = true;
    const TracePointer trace = traceOf(model, inputOf({"a b c"}, {CausalMask{}}));
    const SoftmaxRowFromTrace row = rowOf(*trace, selected(1));
    CHECK(row.masksAfter);
    CHECK(row.row.hidden == std::vector<bool>{false, false, true});
    CHECK(row.row.probabilities[2] > 0);
    CHECK(row.isExplained);
}

TEST_CASE("reasons why there is no row") {
    Model model = smallModel();
    const Input input = inputOf({"a b c"});
    Selection elsewhere = selected(1);
    elsewhere.layer = 3;
    CHECK(reasonOf(*traceOf(model, input), elsewhere) == SoftmaxRowError::NoAttention);
    Input uniform = input;
    uniform.interventions.setHead({}, 0, HeadState::Uniform);
    CHECK(reasonOf(*traceOf(model, uniform), selected(1)) == SoftmaxRowError::Uniform);
    CHECK(std::holds_alternative<SoftmaxRowFromTrace>(
        softmaxRowFromTrace(*traceOf(model, uniform), selected(1, 1))));
    CellMask all;
    for (Index key = 0; key < 3; ++key)
        all.cells.push_back({{}, 1, key, false});
    CHECK(reasonOf(*traceOf(model, inputOf({"a b c"}, {all})), selected(1)) ==
          SoftmaxRowError::SeesNothing);
    model.config.softmax = false;
    CHECK(reasonOf(*traceOf(model, input), selected(1)) == SoftmaxRowError::NoSoftmax);
}

namespace {

SoftmaxSpread spreadOf(Index headSize, std::uint64_t seed = 1) {
    return valueOf(softmaxSpread(headSize, seed));
}

} // namespace

TEST_CASE("the spread grows with the root of d, and the division undoes this") {
    for (const Index d : {1, 4, 16, 64, 256, 1024}) {
        CAPTURE(d);
        const SoftmaxSpread spread = spreadOf(d);
        const double root = std::sqrt(static_cast<double>(d));
        CHECK(spread.plain.deviation == doctest::Approx(root).epsilon(0.06));
        CHECK(spread.scaled.deviation == doctest::Approx(1).epsilon(0.06));
        // Both spreads are computed from the same dot products, with and without the division.
        CHECK(spread.scaled.deviation == doctest::Approx(spread.plain.deviation / root));
        CHECK(spread.plain.expected == root);
        CHECK(spread.scaled.expected == 1);
        const auto inside =
            std::accumulate(spread.plain.bins.begin(), spread.plain.bins.end(), Index(0));
        const Index all = spread.draws * kDrawnKeys;
        CHECK(inside <= all);
        CHECK(inside > all * 98 / 100);
        // About half of the dot products are negative.
        const Index below = std::accumulate(spread.plain.bins.begin(),
                                            spread.plain.bins.begin() + kSpreadBins / 2, Index(0));
        CHECK(static_cast<double>(below) / static_cast<double>(inside) ==
              doctest::Approx(0.5).epsilon(0.2));
    }
}

// The median of 2000 draws is off by 1.1 % of the draws (one standard deviation). Around it, the
// norm changes by a factor of e per 5 % (d = 256) or 3 % (d = 1024) of the draws. Two standard
// deviations are thus a factor of 1.6 or 2.1.
TEST_CASE("the Jacobian of softmax vanishes as d grows, unless scores are divided") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        CAPTURE(seed);
        const SoftmaxSpread d256 = spreadOf(256, seed), d1024 = spreadOf(1024, seed);
        CHECK(d256.draws >= 1500);
        CHECK(std::abs(std::log(d256.plain.medianNorm / 0.0017)) < std::log(1.7));
        CHECK(std::abs(std::log(d1024.plain.medianNorm / 1.5e-6)) < std::log(2.5));
        CHECK(d256.scaled.medianNorm == doctest::Approx(0.37).epsilon(0.03));
        CHECK(d1024.scaled.medianNorm == doctest::Approx(0.37).epsilon(0.03));
        CHECK(std::abs(d256.plain.vanished - 0.47) < 0.04);
        CHECK(std::abs(d1024.plain.vanished - 0.70) < 0.04);
        CHECK(d256.scaled.vanished == 0);
        CHECK(d1024.scaled.vanished == 0);
        CHECK(d1024.plain.medianLargest > 0.999);
        CHECK(d1024.scaled.medianLargest < 0.5);
    }
}

TEST_CASE("the work is limited, and can be stopped") {
    CHECK(drawsOf(1) == 2000);
    CHECK(drawsOf(kMaxDrawnHeadSize) >= 500);
    CHECK(drawsOf(kMaxDrawnHeadSize) * kMaxDrawnHeadSize * (kDrawnKeys + 1) <= Index(1) << 25);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = softmaxSpread(kMaxDrawnHeadSize, 1, stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(isCancelled(stopped.error()));
}

TEST_CASE("the size of a Jacobian, however small") {
    CHECK(jacobianNormOf(std::vector<double>{}) == 0);
    CHECK(jacobianNormOf(std::vector<double>{3}) == 0);
    CHECK(jacobianNormOf(std::vector<double>{2, 2}) == doctest::Approx(0.5));
    // For two scores, the norm is 2·p·(1 − p).
    for (const double apart : {0.5, 5.0, 50.0, 300.0}) {
        const double p = 1 / (1 + std::exp(apart)), rest = 1 / (1 + std::exp(-apart));
        CHECK(jacobianNormOf(std::vector<double>{apart, 0}) == doctest::Approx(2 * p * rest));
    }
    // Matches the norm that is computed from weights in float.
    const std::vector<double> scores{0.3, -1.2, 2, 0.7};
    std::vector<float> weights;
    double sum = 0;
    for (const double score : scores)
        sum += std::exp(score);
    for (const double score : scores)
        weights.push_back(static_cast<float>(std::exp(score) / sum));
    CHECK(jacobianNormOf(scores) == doctest::Approx(softmaxJacobianNorm(weights, 1)));
    // A sink takes the rest of the weight. Computed by hand: 0.5·(1 − 0.5) and √(2·0.21² +
    // 2·0.09²).
    CHECK(softmaxJacobianNorm(std::vector<float>{0.5F}, 1, 0.5) == doctest::Approx(0.25));
    CHECK(softmaxJacobianNorm(std::vector<float>{0.3F, 0.3F}, 1, 0.4) ==
          doctest::Approx(std::sqrt(2 * 0.21 * 0.21 + 2 * 0.09 * 0.09)));
}
