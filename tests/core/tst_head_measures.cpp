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
    for (const HeadOrder order : kHeadOrders)
        CHECK(measureOf(measures, order) == doctest::Approx(measureOf(expected, order)));
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
