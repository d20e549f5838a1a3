// The measures against sums written out plainly, and on heads whose measures are known.
#include "core/analysis/head_measures.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>

using namespace headlight::core;

namespace {

/// [1, 3, 3, 3]: one head looks at itself, one at the token before, one evenly.
Tensor threeHeads() {
    const float third = 1.0f / 3;
    return Tensor({1, 3, 3, 3}, {1,     0,     0,     0,     1,     0,     0,     0,     1, //
                                 1,     0,     0,     1,     0,     0,     0,     1,     0, //
                                 third, third, third, third, third, third, third, third, third});
}

} // namespace

TEST_CASE("heads whose measures are known") {
    const auto measures = headMeasures(threeHeads(), 0, 3);
    REQUIRE(measures.size() == 3);
    CHECK(measures[0].entropy == 0);
    CHECK(measures[0].diagonal == 1);
    CHECK(measures[0].distance == 0);
    CHECK(measures[1].previousToken == 1);
    CHECK(measures[1].distance == doctest::Approx(2.0 / 3));
    CHECK(measures[1].firstToken == doctest::Approx(2.0 / 3));
    CHECK(measures[2].entropy == doctest::Approx(std::log(3.0)));
    CHECK(measures[2].distance == doctest::Approx((1 + 2 + 1 + 1 + 2 + 1) / 9.0));
    CHECK(measures[2].previousToken == doctest::Approx(1.0 / 3));
}

TEST_CASE("where a sequence says something again") {
    const auto copyIn = [](const std::vector<Index> &tokens) { return secondCopyIn(tokens); };
    CHECK(copyIn({5, 6, 7, 5, 6, 7}) == SecondCopy{3, 6, 3});
    CHECK(copyIn({9, 5, 6, 7, 8, 5, 6, 7, 8}) == SecondCopy{5, 9, 4}); // behind something else
    CHECK(copyIn({5, 6, 7, 8, 5, 6}) == SecondCopy{4, 6, 4});          // cut short
    CHECK(copyIn({1, 2, 1, 2, 1, 2}) == SecondCopy{2, 6, 2});          // and a third one
    CHECK_FALSE(copyIn({5, 6, 7, 8, 9, 5, 6}));                        // less than half of it
    CHECK_FALSE(copyIn({5, 5, 5})); // one token again is no copy of two
    CHECK_FALSE(copyIn({1, 2, 3, 4}));
    CHECK_FALSE(copyIn({}));
    const auto batch = Batch::ofWords({{"a", "b", "a", "b"}, {"a", "b", "c", "a"}}, 6);
    REQUIRE(batch);
    CHECK(secondCopyIn((**batch)[0]) == SecondCopy{2, 4, 2}); // padding is no copy of padding
    CHECK_FALSE(secondCopyIn((**batch)[1]));
}

TEST_CASE("where each token stood before") {
    CHECK(earlierPlaces(std::vector<Index>{5, 6, 5, 5}) == EarlierPlaces{-1, -1, 0, 2});
    CHECK(earlierPlaces(std::vector<Index>{}).empty());
    const auto batch = Batch::ofWords({{"a", "b", "a"}, {"a", "b", "c", "a"}}, 6);
    REQUIRE(batch);
    CHECK(earlierPlaces((**batch)[0]) == EarlierPlaces{-1, -1, 0}); // padding is no token
    CHECK(earlierPlaces(SecondCopy{3, 6, 3}) == EarlierPlaces{-1, -1, -1, 0, 1, 2});
    CHECK(earlierPlaces(std::optional<SecondCopy>()).empty());
}

TEST_CASE("induction is the weight behind the earlier occurrences of a query's token") {
    // Queries 2 and 3 are the second copy of two tokens: they should look at 1 and 2.
    const Tensor weights({1, 1, 4, 4}, {1, 0, 0, 0,         //
                                        0.5f, 0.5f, 0, 0,   //
                                        0, 0.75f, 0, 0.25f, //
                                        0.5f, 0.25f, 0.5f, 0.75f});
    CHECK_FALSE(headMeasures(weights, 0, 4)[0].induction);
    const auto measured = headMeasures(weights, 0, 4, earlierPlaces(SecondCopy{2, 4, 2}));
    CHECK(measured[0].induction == doctest::Approx((0.75 + 0.25) / 2));
    CHECK(measureOf(measured[0], HeadOrder::Induction) == measured[0].induction);
    CHECK(headMeasures(weights, 0, 4, earlierPlaces(std::vector<Index>{7, 8, 7, 8})) == measured);
    // Nothing of it is left where the text that is measured ends before.
    CHECK_FALSE(headMeasures(weights, 0, 2, earlierPlaces(SecondCopy{2, 4, 2}))[0].induction);
}

TEST_CASE("of a text without copies every earlier occurrence counts, and rows without one do not") {
    // a b a c a: query 2 may look behind place 0, query 4 behind places 0 and 2.
    const Tensor weights({1, 1, 5, 5}, {1,    0,    0,    0,    0, //
                                        0.5f, 0.5f, 0,    0,    0, //
                                        0.2f, 0.6f, 0.2f, 0,    0, //
                                        0,    1,    0,    0,    0, //
                                        0.1f, 0.3f, 0.1f, 0.4f, 0.1f});
    const EarlierPlaces earlier = earlierPlaces(std::vector<Index>{1, 2, 1, 3, 1});
    const auto measured = headMeasures(weights, 0, 5, earlier);
    CHECK(measured[0].induction == doctest::Approx((0.6 + (0.3 + 0.4)) / 2));
    CHECK_FALSE(headMeasures(weights, 0, 2, earlier)[0].induction); // neither of them has one
    // A query that sees none of the keys is left out: here the mask hides key 1 from query 2.
    const Tensor hidden({1, 1, 5, 5}, {1,    0,    0,    0,    0, //
                                       0.5f, 0.5f, 0,    0,    0, //
                                       0.8f, 0,    0.2f, 0,    0, //
                                       0,    1,    0,    0,    0, //
                                       0.1f, 0.3f, 0.1f, 0.4f, 0.1f});
    CHECK(headMeasures(hidden, 0, 5, earlier)[0].induction == doctest::Approx(0.7));
}

TEST_CASE("what has no measure is no 0, and comes last") {
    HeadMeasures none, small, large;
    small.induction = 0.0;
    large.induction = 0.5;
    CHECK_FALSE(measureOf(none, HeadOrder::Induction));
    CHECK_FALSE(measureOf(large, HeadOrder::ByIndex));
    CHECK(measureOf(small, HeadOrder::Induction) == 0.0);
    CHECK(headsInOrder({none, small, none, large}, HeadOrder::Induction) ==
          std::vector<Index>{3, 1, 0, 2});
}

TEST_CASE("padding and queries that see nothing do not count") {
    const Tensor weights({1, 1, 3, 3}, {0.5f, 0.5f, 0, 0, 0, 0, 0, 0, 1});
    const auto measures = headMeasures(weights, 0, 2); // the last query is padding
    CHECK(measures[0].entropy == doctest::Approx(std::log(2.0)));
    CHECK(measures[0].diagonal == 0.5);
    CHECK(measures[0].firstToken == 0.5);
    CHECK(headMeasures(weights, 0, 0)[0].entropy == 0);
}

TEST_CASE("weights with a sign and any sum count by their share of the row") {
    const Tensor softmax({1, 1, 2, 2}, {0.25f, 0.75f, 0.5f, 0.5f});
    const Tensor scaled({1, 1, 2, 2}, {-3, 9, -0.125f, 0.125f});
    const HeadMeasures expected = headMeasures(softmax, 0, 2)[0];
    const HeadMeasures measures = headMeasures(scaled, 0, 2)[0];
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
        const HeadMeasures measures = headMeasures(weights, 0, 2)[0];
        CHECK(measures.diagonal == 1);
        CHECK(measures.firstToken == 0);
        CHECK(measures.entropy == 0);
    }
    // Large weights are not: their sum is in double.
    const Tensor large({1, 1, 1, 2}, {3e38f, -3e38f});
    CHECK(headMeasures(large, 0, 1)[0].entropy == doctest::Approx(std::log(2.0)));
}

TEST_CASE("heads in the order of each measure") {
    const auto measures = headMeasures(threeHeads(), 0, 3);
    for (const HeadOrder order : kHeadOrders)
        CHECK(findHeadOrder(nameOf(order)) == order);
    CHECK_FALSE(findHeadOrder("Entropy"));
    CHECK(headsInOrder(measures, HeadOrder::ByIndex) == std::vector<Index>{0, 1, 2});
    CHECK(headsInOrder(measures, HeadOrder::Entropy) == std::vector<Index>{0, 1, 2});
    CHECK(headsInOrder(measures, HeadOrder::Distance) == std::vector<Index>{0, 1, 2});
    CHECK(headsInOrder(measures, HeadOrder::PreviousToken) == std::vector<Index>{1, 2, 0});
    CHECK(headsInOrder(measures, HeadOrder::Diagonal).front() == 0);
    CHECK(headsInOrder(measures, HeadOrder::FirstToken).front() == 1);
}

TEST_CASE("what is not attention weights has no heads") {
    CHECK(headMeasures(Tensor(), 0, 3).empty());
    CHECK(headMeasures(Tensor({1, 2, 2}, {1, 2, 3, 4}), 0, 2).empty());
}
