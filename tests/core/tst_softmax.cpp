#include "core/format_number.h"
#include "core/operations/softmax.h"
#include "core/random.h"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

using namespace headlight::core;

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
    // Dividing the larger scores by a temperature of 100 undoes it.
    CHECK(printed(weightsOf(larger, 100)) == "0.18 0.25 0.07 0.17 0.24 0.09");
}

TEST_CASE("minus infinity gives exactly zero") {
    const auto weights = weightsOf({1, -kInfinity, 1, -kInfinity});
    CHECK(weights == std::vector<float>{0.5f, 0, 0.5f, 0});
}

TEST_CASE("a row that sees nothing is zeros, not NaN") {
    CHECK(weightsOf({-kInfinity, -kInfinity}) == std::vector<float>{0, 0});
    CHECK(weightsOf({}).empty());
}

TEST_CASE("scores that overflowed share the row") {
    CHECK(weightsOf({kInfinity, 3, kInfinity}) == std::vector<float>{0.5f, 0, 0.5f});
}

TEST_CASE("scores beyond what exp can take") {
    CHECK(weightsOf({3e38f, -3e38f}) == std::vector<float>{1, 0});
    CHECK(weightsOf({-3e38f, -3e38f}) == std::vector<float>{0.5f, 0.5f});
    CHECK(weightsOf({5}) == std::vector<float>{1});
}

TEST_CASE("the hottest row is even, the coldest picks the largest") {
    CHECK(printed(weightsOf({1, 2, 3, 4}, 1e6f)) == "0.25 0.25 0.25 0.25");
    CHECK(weightsOf({1, 2, 3, 4}, 1e-30f) == std::vector<float>{0, 0, 0, 1});
}

TEST_CASE("rows sum to 1, also when thousands long") {
    Random random(3);
    for (const std::size_t length : {1u, 2u, 7u, 100u, 10000u}) {
        std::vector<float> scores(length);
        for (float &score : scores)
            score = static_cast<float>(3 * random.normal());
        const auto weights = weightsOf(scores);
        const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
        CHECK(std::abs(sum - 1) < 1e-6);
    }
}
