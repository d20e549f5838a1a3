#include "core/analysis/head_summary.h"
#include "fixture.h"

#include <algorithm>
#include <limits>
#include <numeric>

using namespace headlight::core;
using namespace headlight::core::test;

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

TEST_CASE("the maximum, cell by cell") {
    const Tensor weights = sampleTrace()->stage(Stage::AttentionWeights);
    const Tensor most = summarizeHeads(weights, HeadSummary::Maximum);
    CHECK(most.shape() == Shape{2, 1, 4, 4});
    for (Index b = 0; b < 2; ++b)
        for (Index row = 0; row < 4; ++row)
            for (Index column = 0; column < 4; ++column)
                CHECK(most.matrix(b)(row, column) == std::max(weights.matrix(b, 0)(row, column),
                                                              weights.matrix(b, 1)(row, column)));
}

TEST_CASE("hidden scores stay hidden") {
    const TracePointer trace = sampleTrace();
    for (const HeadSummary summary : {HeadSummary::Mean, HeadSummary::Maximum}) {
        const Tensor scores = summarizeHeads(trace->stage(Stage::MaskedScores), summary);
        CHECK(scores.matrix(0)(0, 1) == -std::numeric_limits<float>::infinity());
        CHECK(scores.matrix(0)(1, 0) > -std::numeric_limits<float>::infinity());
    }
}

TEST_CASE("one head is itself; negative numbers have a maximum too") {
    const Tensor one(Shape{1, 1, 2, 2}, {-1, -2, 3, 4});
    for (const HeadSummary summary : {HeadSummary::Mean, HeadSummary::Maximum})
        CHECK(summarizeHeads(one, summary).values() == one.values());
    const Tensor two(Shape{1, 2, 1, 2}, {-1, -4, -2, -3});
    CHECK(summarizeHeads(two, HeadSummary::Maximum).values() == std::vector<float>{-1, -3});
    CHECK(summarizeHeads(two, HeadSummary::Mean).values() == std::vector<float>{-1.5F, -3.5F});
}

TEST_CASE("a stage without heads comes back as it is") {
    const Tensor embeddings = sampleTrace()->stage(Stage::Embeddings);
    CHECK(summarizeHeads(embeddings, HeadSummary::Mean).identity() == embeddings.identity());
}
