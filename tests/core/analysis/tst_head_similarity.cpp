// The similarity of heads to a chosen head, compared with the definition with natural logarithms.
#include "core/analysis/head_similarity.h"

#include "core/analysis/head_table.h"
#include "tests/core/core_test.h"
#include "tests/core/fixture.h"

#include <numbers>

namespace {

/// Returns ½ KL(p, m) + ½ KL(q, m) in bits, for two rows p and q that sum to 1 and their mean m.
/// Uses natural logarithms.
double divergenceOf(const MatrixView &p, const MatrixView &q, Index row) {
    double sum = 0;
    for (Index j = 0; j < p.columns; ++j) {
        const auto a = static_cast<double>(p(row, j)), b = static_cast<double>(q(row, j));
        const double mean = (a + b) / 2;
        if (a > 0)
            sum += a / 2 * (std::log(a) - std::log(mean));
        if (b > 0)
            sum += b / 2 * (std::log(b) - std::log(mean));
    }
    return sum / std::numbers::ln2;
}

} // namespace

TEST_CASE("each head is compared with the chosen one, over the rows that count in both") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"a b c a b"}, {CausalMask{}}));
    const HeadId place{AttentionId(1), 1};
    const auto all = valueOf(measuresOfHeads(*trace, 0, {}, {.similarTo = place}));
    REQUIRE(all.size() > 2);
    const SharedMatrix own = trace->matrix(Stage::AttentionWeights, place.attention, 0, place.head);
    for (const HeadOfTrace &head : all) {
        const SharedMatrix weights =
            trace->matrix(Stage::AttentionWeights, head.attention, 0, head.head);
        double sum = 0;
        for (Index row = 1; row < 5; ++row) // the first query sees a single key
            sum += 1 - divergenceOf(own.view(), weights.view(), row);
        REQUIRE(head.measures.similarity);
        CHECK(*head.measures.similarity == doctest::Approx(sum / 4).epsilon(1e-5));
        if (head.attention == place.attention && head.head == place.head)
            CHECK(*head.measures.similarity == 1);
        else
            CHECK(*head.measures.similarity < 1);
    }
    // The window compares layer by layer, with the same results.
    const ChosenHead chosen = valueOf(ChosenHead::of(*trace, place, 0));
    std::size_t at = 0;
    for (const AttentionId attention : trace->model().attentions())
        for (const auto &similarity : valueOf(similaritiesAt(*trace, attention, 0, chosen)))
            CHECK(similarity == all[at++].measures.similarity);
    CHECK(at == all.size());
}

TEST_CASE("the other measures do not depend on the chosen head") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"a b c a b"}, {CausalMask{}}));
    const auto plain = valueOf(measuresOfHeads(*trace, 0));
    auto all = valueOf(measuresOfHeads(*trace, 0, {}, {.similarTo = HeadId{}}));
    REQUIRE(plain.size() == all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK_FALSE(plain[i].measures.similarity);
        all[i].measures.similarity.reset();
        CHECK(plain[i].measures == all[i].measures);
    }
    CHECK(csvOf(measuresAsTable(plain, kNamedMeasures)) ==
          csvOf(measuresAsTable(all, kNamedMeasures)));
}

TEST_CASE("a similarity that does not exist") {
    // With a single token, no row sees two keys.
    const TracePointer one = traceOf(smallModel(2), inputOf({"a"}, {CausalMask{}}));
    for (const HeadOfTrace &head : valueOf(measuresOfHeads(*one, 0, {}, {.similarTo = HeadId{}})))
        CHECK_FALSE(head.measures.similarity);
    CHECK_FALSE(ChosenHead::of(*one, {AttentionId(0), 99}, 0).ok());
    CHECK_FALSE(ChosenHead::of(*one, {AttentionId(7), 0}, 0).ok());
    std::stop_source stopped;
    stopped.request_stop();
    CHECK_FALSE(ChosenHead::of(*one, {}, 0, stopped.get_token()).ok());
}
