// Head measures compared with plain sums, and for heads whose measures are obvious.
#include "core/analysis/head_measures.h"
#include "core/analysis/head_summary.h"
#include "core/random.h"
#include "core_test.h"
#include "fixture.h"

namespace {

/// Returns weights [1, 3, 3, 3]: one head attends to itself, one to the previous token, one
/// uniformly.
Tensor threeHeads() {
    const float third = 1.0f / 3;
    return Tensor({1, 3, 3, 3}, {1,     0,     0,     0,     1,     0,     0,     0,     1, //
                                 1,     0,     0,     1,     0,     0,     0,     1,     0, //
                                 third, third, third, third, third, third, third, third, third});
}

const Mask kSeesAll({}, 0, 3, 3, 3);

} // namespace

TEST_CASE("heads whose measures are known") {
    const auto measures = headMeasures(threeHeads(), {.length = 3, .mask = &kSeesAll});
    REQUIRE(measures.size() == 3);
    CHECK(measures[0].entropy == 0);
    CHECK(measures[0].diagonal == 1);
    CHECK(measures[0].distance == 0);
    CHECK(measures[1].previousToken == 1);
    CHECK(measures[1].distance == doctest::Approx(2.0 / 3));
    CHECK(measures[1].firstToken == 0.5); // mean over the queries after the first token
    CHECK(measures[2].entropy == doctest::Approx(std::log(3.0)));
    CHECK(measures[2].distance == doctest::Approx((1 + 2 + 1 + 1 + 2 + 1) / 9.0));
    CHECK(measures[2].previousToken == doctest::Approx(1.0 / 3));
}

/// Large enough for several threads. Queries that are left out do not affect what a head can see.
TEST_CASE("a head is measured over some of its queries") {
    constexpr Index kTokens = 600;
    Random random(37);
    Matrix weights(kTokens, kTokens), some(kTokens, kTokens);
    std::vector<Index> queries;
    for (Index row = 0; row < kTokens; ++row) {
        const bool counts = row % 3 != 1;
        // Only a query that does not count sees later keys.
        const Index end = counts ? row + 1 : kTokens;
        for (Index key = 0; key < end; ++key)
            weights(row, key) = static_cast<float>(random.uniform());
        if (!counts)
            continue;
        queries.push_back(row);
        std::ranges::copy(weights.view().row(row), some.view().row(row).begin());
    }
    const Mask causal(MaskLayers{CausalMask{}}, 0, kTokens, kTokens, kTokens);
    for (const Mask *mask : {static_cast<const Mask *>(nullptr), &causal}) {
        const MeasuredText text{.length = kTokens, .mask = mask};
        const HeadMeasures made = headMeasures(std::as_const(weights).view(), text, queries);
        CHECK(made.entropy);
        CHECK(made.previousToken);
        CHECK(made == headMeasures(std::as_const(some).view(), text));
        CHECK(made != headMeasures(std::as_const(weights).view(), text));
    }
}

TEST_CASE("where a sequence repeats itself") {
    const auto copyIn = [](const std::vector<Index> &tokens) { return repeatedSequenceIn(tokens); };
    CHECK(copyIn({5, 6, 7, 5, 6, 7}) == RepeatedSequence{3, 6, 3});
    CHECK(copyIn({9, 5, 6, 7, 8, 5, 6, 7, 8}) ==
          RepeatedSequence{5, 9, 4}); // the first copy follows other tokens
    CHECK(copyIn({5, 6, 7, 8, 5, 6}) == RepeatedSequence{4, 6, 4}); // truncated copy
    CHECK(copyIn({1, 2, 1, 2, 1, 2}) == RepeatedSequence{2, 6, 2}); // a third copy follows
    CHECK_FALSE(copyIn({5, 6, 7, 8, 9, 5, 6}));                     // less than half a copy
    CHECK_FALSE(copyIn({5, 5, 5})); // one repeated token is not a copy
    CHECK_FALSE(copyIn({1, 2, 3, 4}));
    CHECK_FALSE(copyIn({}));
    const auto batch = valueOf(Batch::ofWords({{"a", "b", "a", "b"}, {"a", "b", "c", "a"}}, 6));
    CHECK(repeatedSequenceIn((*batch)[0]) ==
          RepeatedSequence{2, 4, 2}); // repeated padding is not a copy
    CHECK_FALSE(repeatedSequenceIn((*batch)[1]));
}

TEST_CASE("induction is the weight after the earlier occurrences of a query's token") {
    // Queries 2 and 3 are the second copy of two tokens, so they should attend to keys 1 and 2.
    const Tensor weights({1, 1, 4, 4}, {1, 0, 0, 0,         //
                                        0.5f, 0.5f, 0, 0,   //
                                        0, 0.75f, 0, 0.25f, //
                                        0.5f, 0.25f, 0.5f, 0.75f});
    CHECK_FALSE(headMeasures(weights, {.length = 4})[0].induction);
    const auto measured =
        headMeasures(weights, {.length = 4, .earlier = earlierPlaces(RepeatedSequence{2, 4, 2})});
    CHECK(measured[0].induction == doctest::Approx((0.75 + 0.25) / 2));
    CHECK(measureOf(measured[0], HeadOrder::Induction) == measured[0].induction);
    CHECK(headMeasures(weights,
                       {.length = 4, .earlier = earlierPlaces(std::vector<Index>{7, 8, 7, 8})}) ==
          measured);
    // If the text ends before the second copy, there is no measure.
    CHECK_FALSE(
        headMeasures(weights, {.length = 2, .earlier = earlierPlaces(RepeatedSequence{2, 4, 2})})[0]
            .induction);
}

TEST_CASE("in a text without copies every earlier occurrence counts, and rows without one do not") {
    // a b a c a: query 2 may attend after position 0, query 4 after positions 0 and 2.
    const Tensor weights({1, 1, 5, 5}, {1,    0,    0,    0,    0, //
                                        0.5f, 0.5f, 0,    0,    0, //
                                        0.2f, 0.6f, 0.2f, 0,    0, //
                                        0,    1,    0,    0,    0, //
                                        0.1f, 0.3f, 0.1f, 0.4f, 0.1f});
    const EarlierPlaces earlier = earlierPlaces(std::vector<Index>{1, 2, 1, 3, 1});
    const auto measured = headMeasures(weights, {.length = 5, .earlier = earlier});
    CHECK(measured[0].induction == doctest::Approx((0.6 + (0.3 + 0.4)) / 2));
    CHECK_FALSE(headMeasures(weights, {.length = 2, .earlier = earlier})[0]
                    .induction); // neither token occurred earlier
    // Queries that see none of these keys are left out. Here the mask hides key 1 from query 2.
    const Tensor hidden({1, 1, 5, 5}, {1,    0,    0,    0,    0, //
                                       0.5f, 0.5f, 0,    0,    0, //
                                       0.8f, 0,    0.2f, 0,    0, //
                                       0,    1,    0,    0,    0, //
                                       0.1f, 0.3f, 0.1f, 0.4f, 0.1f});
    const Mask mask({CausalMask{}, CellMask{{{{}, 2, 1, false}}}}, 0, 5, 5, 5);
    CHECK(headMeasures(hidden, {.length = 5, .earlier = earlier, .mask = &mask})[0].induction ==
          doctest::Approx(0.7));
    // A query that sees the key but gives it no weight counts.
    CHECK(headMeasures(hidden, {.length = 5, .earlier = earlier})[0].induction ==
          doctest::Approx(0.7 / 2));
}

TEST_CASE("a missing measure is not 0, and comes last") {
    for (const HeadOrder order : kHeadOrders) {
        if (order == HeadOrder::ByIndex)
            continue;
        CAPTURE(nameOf(order));
        HeadMeasures none, small, large;
        for (const auto member : kHeadMeasures) {
            small.*member = 0.0;
            large.*member = 0.5;
        }
        CHECK_FALSE(measureOf(none, order));
        CHECK(measureOf(small, order) == 0.0);
        const bool smallestFirst = order == HeadOrder::Entropy || order == HeadOrder::Distance;
        CHECK(headsInOrder({none, small, none, large}, order) ==
              (smallestFirst ? std::vector<Index>{1, 3, 0, 2} : std::vector<Index>{3, 1, 0, 2}));
    }
    CHECK_FALSE(measureOf({1.0, 1.0, 1.0, 1.0, 1.0, 1.0}, HeadOrder::ByIndex));
}

TEST_CASE("padding and fully masked queries do not count") {
    const Tensor weights({1, 1, 3, 3}, {0.5f, 0.5f, 0, 0, 0, 0, 0, 0, 1});
    const auto measures = headMeasures(weights, {.length = 2}); // the last query is padding
    CHECK(measures[0].entropy == doctest::Approx(std::log(2.0)));
    CHECK(measures[0].diagonal == 0.5);
    CHECK_FALSE(measures[0].firstToken); // the only later query is fully masked
    CHECK(headMeasures(weights, {})[0] == HeadMeasures());
}

TEST_CASE("one token alone has no measures, and of two tokens only the second counts") {
    const Mask causal({CausalMask{}}, 0, 2, 2, 2);
    const Tensor one({1, 1, 1, 1}, {1}), two({1, 1, 2, 2}, {1, 0, 0.25f, 0.75f});
    CHECK(headMeasures(one, {.length = 1})[0] == HeadMeasures());
    for (const Mask *mask : {&causal, static_cast<const Mask *>(nullptr)}) {
        // Without a mask, visibility is derived from the weights: no query attends to later tokens.
        const HeadMeasures found = headMeasures(two, {.length = 2, .mask = mask})[0];
        CHECK(found.distance == 0.25);
        CHECK(found.previousToken == 0.25);
        CHECK(found.diagonal == 0.75);
        CHECK(found.firstToken == 0.25);
        CHECK_FALSE(found.induction);
        CHECK(headMeasures(two, {.length = 1, .mask = mask})[0] == HeadMeasures());
    }
}

TEST_CASE("a query that does not see its own token, or the one before, has no share of it") {
    const Tensor weights({1, 1, 3, 3}, {0, 0.5f, 0.5f, 0.5f, 0, 0.5f, 0.5f, 0.5f, 0});
    const Mask others({DiagonalMask{}}, 0, 3, 3, 3);
    const HeadMeasures found = headMeasures(weights, {.length = 3, .mask = &others})[0];
    CHECK_FALSE(found.diagonal);
    CHECK(found.previousToken == 0.5);
    const Mask after({CellMask{{{{}, 1, 0, false}, {{}, 2, 1, false}}}}, 0, 3, 3, 3);
    const Tensor forward({1, 1, 3, 3}, {0.5f, 0.5f, 0, 0, 0.5f, 0.5f, 0.5f, 0, 0.5f});
    CHECK_FALSE(headMeasures(forward, {.length = 3, .mask = &after})[0].previousToken);
}

TEST_CASE("cross-attention has no measures of positions, because its keys are of another text") {
    const Tensor weights({1, 1, 2, 3}, {0.5f, 0.25f, 0.25f, 1, 0, 0});
    const Mask all({}, 0, 2, 3, 3);
    const HeadMeasures found =
        headMeasures(weights, {.length = 2, .mask = &all, .block = Block::CrossAttention})[0];
    CHECK(found.entropy.has_value());
    CHECK(found.firstToken == 0.75); // includes the first query
    CHECK_FALSE(found.distance);
    CHECK_FALSE(found.previousToken);
    CHECK_FALSE(found.diagonal);
    CHECK_FALSE(found.induction);
}

TEST_CASE("weights with a sign and any sum count by their share of the row") {
    const Tensor softmax({1, 1, 2, 2}, {0.25f, 0.75f, 0.5f, 0.5f});
    const Tensor scaled({1, 1, 2, 2}, {-3, 9, -0.125f, 0.125f});
    const HeadMeasures expected = headMeasures(softmax, {.length = 2})[0];
    const HeadMeasures measures = headMeasures(scaled, {.length = 2})[0];
    for (const HeadOrder order : kHeadOrders) {
        REQUIRE(measureOf(measures, order).has_value() == measureOf(expected, order).has_value());
        if (const auto measure = measureOf(expected, order))
            CHECK(*measureOf(measures, order) == doctest::Approx(*measure));
    }
    CHECK(measures.entropy > 0);
    CHECK(measures.entropy <= std::log(2.0));
}

TEST_CASE("a row that overflowed measures nothing") {
    const float infinity = std::numeric_limits<float>::infinity();
    for (const float broken : {infinity, -infinity, std::nanf("")}) {
        const Tensor weights({1, 1, 2, 2}, {broken, 0.5f, 0, 1});
        const HeadMeasures measures = headMeasures(weights, {.length = 2})[0];
        CHECK(measures.diagonal == 1);
        CHECK(measures.firstToken == 0);
        CHECK(measures.entropy == 0);
        CHECK(headMeasures(weights, {.length = 1})[0] == HeadMeasures());
    }
    // Large weights do not overflow, since their sum is in double.
    const Tensor large({1, 1, 1, 2}, {3e38f, -3e38f});
    CHECK(headMeasures(large, {.length = 1})[0].entropy == doctest::Approx(std::log(2.0)));
}

TEST_CASE("heads in the order of each measure") {
    const auto measures = headMeasures(threeHeads(), {.length = 3, .mask = &kSeesAll});
    CHECK(headsInOrder(measures, HeadOrder::ByIndex) == std::vector<Index>{0, 1, 2});
    CHECK(headsInOrder(measures, HeadOrder::Entropy) == std::vector<Index>{0, 1, 2});
    CHECK(headsInOrder(measures, HeadOrder::Distance) == std::vector<Index>{0, 1, 2});
    CHECK(headsInOrder(measures, HeadOrder::PreviousToken) == std::vector<Index>{1, 2, 0});
    CHECK(headsInOrder(measures, HeadOrder::Diagonal).front() == 0);
    CHECK(headsInOrder(measures, HeadOrder::FirstToken).front() == 1);
}

namespace {

TracePointer sampleTrace() {
    return traceOf(smallModel(),
                   inputOf({"the money bank today", "a river"}, {CausalMask{}, PaddingMask{}}));
}

} // namespace

TEST_CASE("the mean of weights: its rows still sum to 1") {
    const Tensor weights = sampleTrace()->stage(Stage::AttentionWeights);
    const Tensor mean = summarizeHeads(weights, HeadSummary::Mean);
    CHECK(mean.shape() == Shape{2, 1, 4, 4});
    for (Index b = 0; b < 2; ++b)
        for (Index row = 0; row < 4; ++row) {
            const auto numbers = mean.view(b).row(row);
            CHECK(std::accumulate(numbers.begin(), numbers.end(), 0.0) ==
                  doctest::Approx(1).epsilon(1e-6));
            for (Index column = 0; column < 4; ++column) {
                const double both = static_cast<double>(weights.matrix(b, 0)(row, column)) +
                                    static_cast<double>(weights.matrix(b, 1)(row, column));
                CHECK(mean.matrix(b)(row, column) == static_cast<float>(both / 2));
            }
        }
}

TEST_CASE("hidden scores stay hidden") {
    const TracePointer trace = sampleTrace();
    for (const HeadSummary summary : {HeadSummary::Mean, HeadSummary::Maximum}) {
        const Tensor scores = summarizeHeads(trace->stage(Stage::MaskedScores), summary);
        CHECK(scores.matrix(0)(0, 1) == -std::numeric_limits<float>::infinity());
        CHECK(scores.matrix(0)(1, 0) > -std::numeric_limits<float>::infinity());
    }
}

TEST_CASE("separators are special tokens and punctuation, and have no measure if there are none") {
    const std::vector<Token> tokens =
        tokensOf({"[CLS]", "the", "Ġ,", "</s>", "<0x0A>", "…", "a-b"});
    CHECK(separatorsIn(tokens) == std::vector<bool>{true, false, true, true, false, true, false});
    // Symbols (Unicode S*) are not punctuation (P*), not even ASCII ones.
    CHECK(separatorsIn(tokensOf({"+", "$", "^", "=.", "—", "。", "“", "%"})) ==
          std::vector<bool>{false, false, false, false, true, true, true, true});
    const Tensor weights({1, 1, 2, 2}, {1, 0, 0.75f, 0.25f});
    CHECK_FALSE(headMeasures(weights, {.length = 2})[0].separators);
    CHECK_FALSE(headMeasures(weights, {.length = 2, .separators = {false, false}})[0].separators);
    CHECK(headMeasures(weights, {.length = 2, .separators = {false, true}})[0].separators == 0.25);
}

TEST_CASE("the weight on earlier occurrences of the query's token") {
    const Tensor weights({1, 1, 4, 4}, {1, 0, 0, 0,         //
                                        0.5f, 0.5f, 0, 0,   //
                                        0, 0.75f, 0.25f, 0, //
                                        0.125f, 0.25f, 0.5f, 0.125f});
    CHECK_FALSE(headMeasures(weights, {.length = 4})[0].sameToken);
    // a b b b: query 2 sees one earlier b, query 3 two.
    const std::vector<Index> tokens{0, 1, 1, 1};
    CHECK(headMeasures(weights, {.length = 4, .earlier = earlierPlaces(tokens)})[0].sameToken ==
          doctest::Approx((0.75 + 0.75) / 2));
}
