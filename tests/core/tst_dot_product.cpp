#include "core/operations/dot_product.h"

#include <doctest/doctest.h>
#include <vector>

using namespace headlight::core;

TEST_CASE("terms and their sum") {
    const std::vector<float> query{1, -2, 0.5f};
    const std::vector<float> key{3, 4, 8};
    const DotProduct product = dotProduct(query, key);
    CHECK(product.terms == std::vector<float>{3, -8, 4});
    CHECK(product.sum == -1);
}

TEST_CASE("terms that cancel are added in double") {
    const std::vector<float> query{1e8f, 1, -1e8f};
    const std::vector<float> ones{1, 1, 1};
    CHECK(dotProduct(query, ones).sum == 1);
}

TEST_CASE("no dimensions, no sum") {
    CHECK(dotProduct({}, {}).sum == 0);
}
