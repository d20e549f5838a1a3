// Two texts of different lengths, compared on the tokens that have a partner.
#include "core/analysis/token_partners.h"
#include "tests/core/core_test.h"
#include "tests/core/fixture.h"

namespace {

const ComparedHead &headAt(const std::vector<ComparedHead> &heads, Index layer, Index head) {
    const auto found = std::ranges::find_if(heads, [&](const ComparedHead &each) {
        return each.attention.layer == layer && each.head == head;
    });
    REQUIRE(found != heads.end());
    return *found;
}

std::vector<AlignedText> alignedTexts(const ComparedSide &now, const ComparedSide &a) {
    return partnersOf(now.trace.input(), now.sequence, a.trace.input(), a.sequence,
                      now.trace.model())
        ->texts();
}

} // namespace

TEST_CASE("equal texts do not differ") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"a b c a b"}, {CausalMask{}}));
    const ComparedSide side{*trace};
    const auto texts = alignedTexts(side, side);
    REQUIRE(texts.size() == 1);
    CHECK(texts[0].pairs.size() == 5);
    const auto heads = valueOf(comparedHeads(side, side, texts));
    REQUIRE(heads.size() == 4);
    for (const ComparedHead &head : heads) {
        CHECK_FALSE(head.largest);
        CHECK(head.meanDifference == 0);
        CHECK(head.unpairedNow == doctest::Approx(0));
        CHECK(head.now == head.a);
        // All queries count, so the measures equal those of the complete head.
        const SharedMatrix weights =
            trace->matrix(Stage::AttentionWeights, head.attention, 0, head.head);
        CHECK(head.now == headMeasures(weights.view(), measuredTextOf(*trace, head.attention, 0)));
    }
    CHECK(valueOf(comparedPredictions(side, side, texts)).empty()); // no output layer
}

TEST_CASE("weights are compared where both query and key have a partner") {
    const Model model = smallModel(2);
    const TracePointer now = traceOf(model, inputOf({"a x b c"}, {CausalMask{}}));
    const TracePointer before = traceOf(model, inputOf({"a b c"}, {CausalMask{}}));
    const ComparedSide left{*now}, right{*before};
    const auto texts = alignedTexts(left, right);
    CHECK(texts[0].pairs == AlignedPairs{{0, 0}, {2, 1}, {3, 2}});
    CHECK(texts[0].unpaired().now == std::vector<Index>{1});
    CHECK(texts[0].unpaired().a.empty());
    const auto heads = valueOf(comparedHeads(left, right, texts));
    for (const Index layer : {0, 1})
        for (const Index head : {0, 1}) {
            const SharedMatrix w = now->matrix(Stage::AttentionWeights, {layer}, 0, head);
            const SharedMatrix v = before->matrix(Stage::AttentionWeights, {layer}, 0, head);
            double sum = 0, largest = 0, unpaired = 0;
            Index cells = 0;
            for (const AlignedPair &query : texts[0].pairs) {
                unpaired += static_cast<double>(w(query.now, 1)) / 3;
                for (const AlignedPair &key : texts[0].pairs) {
                    if (key.now > query.now)
                        continue;
                    const double change = static_cast<double>(w(query.now, key.now)) -
                                          static_cast<double>(v(query.a, key.a));
                    sum += std::abs(change);
                    ++cells;
                    largest = std::abs(change) > std::abs(largest) ? change : largest;
                }
            }
            const ComparedHead &compared = headAt(heads, layer, head);
            CHECK(cells == 6);
            CHECK(*compared.meanDifference == doctest::Approx(sum / 6));
            REQUIRE(compared.largest);
            CHECK(compared.largest->difference == doctest::Approx(largest));
            CHECK(static_cast<double>(w(compared.largest->query.now, compared.largest->key.now)) -
                      static_cast<double>(v(compared.largest->query.a, compared.largest->key.a)) ==
                  doctest::Approx(largest));
            CHECK(*compared.unpairedNow == doctest::Approx(unpaired).epsilon(1e-5));
            CHECK(*compared.unpairedA == doctest::Approx(0));
        }
    // Without any pair, nothing can be compared.
    auto none = texts;
    none[0].pairs.clear();
    for (const ComparedHead &head : valueOf(comparedHeads(left, right, none))) {
        CHECK_FALSE(head.meanDifference);
        CHECK_FALSE(head.unpairedNow);
        CHECK_FALSE(head.now.entropy);
    }
}

TEST_CASE("Jensen-Shannon divergence") {
    const std::vector<float> a{1, 0}, b{0, 1}, c{0.5f, 0.5f};
    CHECK(jensenShannon(a, a) == 0);
    CHECK(jensenShannon(a, b) == doctest::Approx(1));
    CHECK(jensenShannon(a, c) == doctest::Approx(jensenShannon(c, a)));
    // ½ · log2(4/3) + ½ · (½ log2(2/3) + ½ log2 2)
    CHECK(jensenShannon(a, c) ==
          doctest::Approx(0.5 * std::log2(4.0 / 3) + 0.25 * (std::log2(2.0 / 3) + 1)));
}

TEST_CASE("heads that only one side has are named") {
    const TracePointer two = traceOf(smallModel(2), inputOf({"a b c"}, {CausalMask{}}));
    const TracePointer three = traceOf(smallModel(3), inputOf({"a b c"}, {CausalMask{}}));
    const ComparedSide now{*three}, a{*two};
    CHECK(leftOutOf(now, now).headsNow.empty());
    const LeftOut left = leftOutOf(now, a);
    const Index heads = three->model().headsOf(2);
    REQUIRE(std::ssize(left.headsNow) == heads);
    CHECK(left.headsNow.front() == HeadId{2, 0});
    CHECK(left.headsA.empty());
    CHECK(leftOutOf(a, now).headsA == left.headsNow);
    CHECK(left.predictions == PredictionsLeftOut::No); // neither side has an output layer
}

TEST_CASE("padding is not a separator") {
    const TracePointer trace = traceOf(smallModel(1), inputOf({"a b", "a b c ."}, {PaddingMask{}}));
    CHECK(measuredTextOf(*trace, {}, 0).separators == std::vector<bool>{false, false});
    CHECK(measuredTextOf(*trace, {}, 1).separators == std::vector<bool>{false, false, false, true});
}
