// The measures against sums written out plainly, and on heads whose measures are known.
#include "core/analysis/head_measures.h"

#include <cmath>
#include <doctest/doctest.h>

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
