// Rows that softmax reads, from traces and from custom logits, compared with plain sums.
#include "core/analysis/softmax_row.h"

#include "block_models.h"

#include <numbers>

using namespace headlight::core;
using namespace headlight::core::test;

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
        CHECK(row.mostEntropyBits() == doctest::Approx(std::log2(6.0)));
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

TEST_CASE("the Jacobian of a row where one takes all but a billionth has its size all the same") {
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
                // The present score and another one.
                const auto scores = trace->matrix(Stage::Scores, attention, 0, 1);
                const auto same = traced.scoreFor(at, row.logits[at]);
                REQUIRE(same);
                CHECK(*same == doctest::Approx(scores(2, key)).epsilon(1e-3));
                const float wanted = 0.5f * row.logits[at] + 0.05f;
                const auto score = traced.scoreFor(at, wanted);
                REQUIRE(score);
                Input input = block.input;
                input.interventions.setScore(
                    {0, attention.layer, 1, 2, key, *score, attention.block, attention.stack});
                const SoftmaxRowFromTrace after = rowOf(*traceOf(block.model, input), selection);
                CHECK(after.row.logits[at] == doctest::Approx(wanted).epsilon(1e-3));
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

TEST_CASE("without a selected query it is the first one that has a choice") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"a b c"}, {CausalMask{}}));
    Selection beyond; // belongs to a newer state than the trace
    beyond.sequence = 3;
    CHECK(std::get<SoftmaxRowError>(softmaxRowFromTrace(*trace, beyond)) ==
          SoftmaxRowError::NoScores);
    const SoftmaxRowFromTrace row = rowOf(*trace, {});
    CHECK(row.query == 1);
    CHECK_FALSE(row.isSelected);
    CHECK(row.row.visible() == 2);
    CHECK(row.row.probabilities[2] == 0);
    CHECK(row.row.mostEntropyBits() == 1);
    CHECK(rowOf(*traceOf(smallModel(), inputOf({"a"}, {CausalMask{}})), {}).query == 0);
    CHECK_FALSE(rowOf(*trace, selected(7)).isSelected); // this row does not exist here
}

TEST_CASE("what is hidden after softmax has a probability all the same") {
    Model model = smallModel();
    model.config.masking.afterSoftmax = true;
    const TracePointer trace = traceOf(model, inputOf({"a b c"}, {CausalMask{}}));
    const SoftmaxRowFromTrace row = rowOf(*trace, selected(1));
    CHECK(row.masksAfter);
    CHECK(row.row.hidden == std::vector<bool>{false, false, true});
    CHECK(row.row.probabilities[2] > 0);
    CHECK(row.isExplained);
}

TEST_CASE("the temperature of the model is that of the row") {
    Model model = smallModel();
    model.config.temperature = 3;
    const SoftmaxRowFromTrace row = rowOf(*traceOf(model, inputOf({"a b c"})), selected(1));
    CHECK(row.row.temperature == 3);
    CHECK(row.isExplained);
    CHECK(row.scale == doctest::Approx(1 / std::numbers::sqrt2));
}

TEST_CASE("why there is no row") {
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
