// Random dot products: their spread and that of their softmax match the literature.
#include "core/analysis/softmax_spread.h"

#include "core/cancelled.h"
#include "core/operations/softmax_jacobian.h"
#include "core/selection/softmax_look.h"

#include <cmath>
#include <doctest/doctest.h>
#include <numeric>
#include <vector>

using namespace headlight::core;

namespace {

SoftmaxSpread spreadOf(Index headSize, std::uint64_t seed = 1) {
    const auto spread = softmaxSpread(headSize, seed);
    REQUIRE(spread.ok());
    return *spread;
}

} // namespace

TEST_CASE("the spread grows with the root of d, and the division takes it back") {
    for (const Index d : {1, 4, 16, 64, 256, 1024}) {
        CAPTURE(d);
        const SoftmaxSpread spread = spreadOf(d);
        const double root = std::sqrt(static_cast<double>(d));
        CHECK(spread.plain.deviation == doctest::Approx(root).epsilon(0.06));
        CHECK(spread.scaled.deviation == doctest::Approx(1).epsilon(0.06));
        // Both are the same dot products, divided or not.
        CHECK(spread.scaled.deviation == doctest::Approx(spread.plain.deviation / root));
        CHECK(spread.plain.expected == root);
        CHECK(spread.scaled.expected == 1);
        const auto inside =
            std::accumulate(spread.plain.bins.begin(), spread.plain.bins.end(), Index(0));
        const Index all = spread.draws * kDrawnKeys;
        CHECK(inside <= all);
        CHECK(inside > all * 98 / 100);
        // About half are below zero.
        const Index below = std::accumulate(spread.plain.bins.begin(),
                                            spread.plain.bins.begin() + kSpreadBins / 2, Index(0));
        CHECK(static_cast<double>(below) / static_cast<double>(inside) ==
              doctest::Approx(0.5).epsilon(0.2));
    }
}

// The median of 2000 draws is off by 1.1 % of the draws (one standard deviation). Around it, the
// norm changes by a factor of e per 5 % (d = 256) or 3 % (d = 1024) of the draws. Two standard
// deviations are thus a factor of 1.6 or 2.1.
TEST_CASE("without the division the Jacobian of softmax vanishes as d grows, with it it stays") {
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

TEST_CASE("the same seed draws the same, another one other numbers") {
    CHECK(spreadOf(16, 5) == spreadOf(16, 5));
    CHECK(spreadOf(16, 5).plain != spreadOf(16, 6).plain);
}

TEST_CASE("the work is bounded, and ends when nobody wants it any more") {
    CHECK(drawsOf(1) == 2000);
    CHECK(drawsOf(kMostDrawnHeadSize) >= 500);
    CHECK(drawsOf(kMostDrawnHeadSize) * kMostDrawnHeadSize * (kDrawnKeys + 1) <= Index(1) << 25);
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = softmaxSpread(kMostDrawnHeadSize, 1, stop.get_token());
    REQUIRE_FALSE(stopped.ok());
    CHECK(isCancelled(stopped.error()));
}

TEST_CASE("the size of a Jacobian, however small") {
    CHECK(jacobianNormOf(std::vector<double>{}) == 0);
    CHECK(jacobianNormOf(std::vector<double>{3}) == 0);
    CHECK(jacobianNormOf(std::vector<double>{2, 2}) == doctest::Approx(0.5));
    // For two numbers it is 2·p·(1 − p).
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
}
