// Dot products and cosine similarity.
#include "core/analysis/cosine_similarity.h"
#include "core/operations/dot_product.h"
#include "core_test.h"

TEST_CASE("terms that cancel are added in double") {
    const std::vector<float> query{1e8f, 1, -1e8f};
    const std::vector<float> ones{1, 1, 1};
    CHECK(dotProduct(query, ones).sum == 1);
}

TEST_CASE("known angles") {
    const Matrix x(4, 2, {1, 0, 0, 2, 3, 3, -5, 0});
    const auto result = cosineSimilarity(x.view());
    CHECK(result.values(0, 0) == 1);
    CHECK(result.values(0, 1) == 0);
    CHECK(result.values(0, 2) == doctest::Approx(std::sqrt(0.5)));
    CHECK(result.values(0, 3) == -1);
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
            CHECK(result.values(i, j) == result.values(j, i));
}

TEST_CASE("a vector without direction is similar to nothing, and gives no NaN") {
    const float infinity = INFINITY;
    const Matrix x(4, 2, {1, 1, 0, 0, infinity, 1, NAN, 0});
    const auto result = cosineSimilarity(x.view());
    CHECK(result.hasNoDirection == std::vector<bool>{false, true, true, true});
    for (const float value : result.values.values())
        CHECK(std::isfinite(value));
    CHECK(result.values(1, 1) == 0);
    CHECK(result.values(0, 1) == 0);
}

TEST_CASE("very long and very short vectors neither overflow nor vanish") {
    const Matrix x(3, 2, {3e38f, 3e38f, 1e-38f, 1e-38f, 1e-44f, 0});
    const auto result = cosineSimilarity(x.view());
    CHECK(result.values(0, 1) == doctest::Approx(1));
    CHECK(result.values(0, 2) == doctest::Approx(std::sqrt(0.5)));
    CHECK(!result.hasNoDirection[2]);
}
