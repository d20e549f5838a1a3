#include "tests/ui/document/lesson_tries/claims.h"

#include "core/lesson/mark_words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headlight::test {

using core::Index;
using core::Stage;

namespace {

Index largestAt(std::span<const float> row) {
    return std::ranges::max_element(row) - row.begin();
}

bool isPrevious(const core::Trace &trace) {
    const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0, 0);
    for (Index row = 1; row < weights.rows; ++row)
        if (largestAt(weights.row(row)) != row - 1)
            return false;
    return true;
}

bool areEqual(const core::Trace &trace, Stage a, Stage b) {
    for (Index sequence = 0; sequence < trace.batch().count(); ++sequence)
        for (Index row = 0; row < trace.batch().length(); ++row)
            if (const core::SharedMatrix one = trace.stage(a).matrix(sequence, 0),
                other = trace.stage(b).matrix(sequence, 0);
                !std::ranges::equal(one.row(row), other.row(row)))
                return false;
    return true;
}

bool isZero(const core::SharedMatrix &matrix) {
    for (Index row = 0; row < matrix.rows; ++row)
        if (std::ranges::any_of(matrix.row(row), [](float value) { return value != 0; }))
            return false;
    return true;
}

/// Returns the context of head 0 in the last layer, whose heads the lessons silence.
core::SharedMatrix contextInLastLayer(const core::Trace &trace) {
    return trace.matrix(Stage::Context, trace.model().attentions().back(), 0, 0);
}

float distance(const core::SharedMatrix &a, Index rowOfA, const core::SharedMatrix &b,
               Index rowOfB) {
    return std::hypot(a(rowOfA, 0) - b(rowOfB, 0), a(rowOfA, 1) - b(rowOfB, 1));
}

const Claim kClaims[] = {
    {"Every token but the first gives its largest weight", isPrevious},
    {"every token but the first gives its largest weight", isPrevious},
    {"Not every token still gives its largest weight",
     [](const core::Trace &trace) { return !isPrevious(trace); }},
    {"W_K is the identity here",
     [](const core::Trace &trace) { return areEqual(trace, Stage::Key, Stage::Embeddings); }},
    {"W_V is the identity",
     [](const core::Trace &trace) { return areEqual(trace, Stage::Value, Stage::Embeddings); }},
    {"W_K is not the identity",
     [](const core::Trace &trace) { return !areEqual(trace, Stage::Key, Stage::Embeddings); }},
    {"The order of the two stays the same",
     [](const core::Trace &trace) {
         const core::SharedMatrix before = trace.stage(Stage::Scores).matrix(0, 0);
         const core::SharedMatrix after = trace.stage(Stage::ScaledScores).matrix(0, 0);
         return (before(1, 0) > before(1, 1)) == (after(1, 0) > after(1, 1)) &&
                std::abs(std::sqrt(2.0f) * (after(1, 0) - after(1, 1)) -
                         (before(1, 0) - before(1, 1))) < 1e-4f;
     }},
    {"bank has been pulled towards money",
     [](const core::Trace &trace) {
         return trace.stage(Stage::Context).matrix(0, 0)(1, 0) >
                trace.stage(Stage::Value).matrix(0, 0)(1, 0);
     }},
    {"After it there are two",
     [](const core::Trace &trace) {
         const auto contextOfBank = [&trace](Index sequence) {
             const Index bank = core::tokenCalled("bank", trace.batch(), sequence);
             return trace.stage(Stage::Context).matrix(sequence, 0)(bank, 0);
         };
         return contextOfBank(0) != contextOfBank(1);
     }},
    {"is set to",
     [](const core::Trace &trace) { return !trace.input().interventions.scores.empty(); }},
    {"The rows are the same in every column",
     [](const core::Trace &trace) {
         const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0, 0);
         const Index a = core::tokenCalled("bank", trace.batch(), 0);
         const Index b = core::tokenCalled("bank#2", trace.batch(), 0);
         return std::ranges::equal(weights.row(a), weights.row(b));
     }},
    {"is furthest to the right",
     [](const core::Trace &trace) {
         const core::SharedMatrix scores = trace.stage(Stage::Scores).matrix(0, 0);
         return largestAt(scores.row(9)) == 8;
     }},
    {"head 0 is silenced",
     [](const core::Trace &trace) { return isZero(contextInLastLayer(trace)); }},
    {"Head 0 is not silenced",
     [](const core::Trace &trace) { return !isZero(contextInLastLayer(trace)); }},
    {"has jumped over the",
     [](const core::Trace &trace) {
         const Index on = core::tokenCalled("on", trace.batch(), 0);
         const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0, 1);
         return largestAt(weights.row(on)) == on + 2;
     }},
    {"Here every key is hidden from green",
     [](const core::Trace &trace) {
         return trace.mask(0).seesNothing(core::tokenCalled("green", trace.batch(), 0));
     }},
    {"I sees only itself",
     [](const core::Trace &trace) {
         return trace.stage(Stage::AttentionWeights).matrix(0, 0)(0, 0) == 1;
     }},
    {"W_Q, W_K and W_V are the identity here",
     [](const core::Trace &trace) {
         return areEqual(trace, Stage::Query, Stage::Embeddings) &&
                areEqual(trace, Stage::Key, Stage::Embeddings) &&
                areEqual(trace, Stage::Value, Stage::Embeddings);
     }},
    {"These are the numbers of cat in reverse order",
     [](const core::Trace &trace) {
         const core::SharedMatrix x = trace.stage(Stage::Embeddings).matrix(0);
         const core::SharedMatrix values = trace.stage(Stage::Value).matrix(0);
         return values(0, 0) == x(0, 2) && values(0, 1) == x(0, 1) && values(0, 2) == x(0, 0);
     }},
    {"is as sure as can be",
     [](const core::Trace &trace) {
         const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0, 0);
         return std::ranges::max(weights.row(3)) > 0.99f;
     }},
    {"All differences are twice as large",
     [](const core::Trace &trace) {
         const core::SharedMatrix scores = trace.stage(Stage::MaskedScores).matrix(0);
         const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0);
         return std::abs(std::log(weights(3, 2) / weights(3, 1)) -
                         2 * (scores(3, 2) - scores(3, 1))) < 1e-3f;
     }},
    {"whatever its weight, it brings nothing",
     [](const core::Trace &trace) {
         const core::SharedMatrix values = trace.stage(Stage::Value).matrix(0);
         return std::ranges::all_of(values.row(0), [](float each) { return each == 0; });
     }},
    {"near orange",
     [](const core::Trace &trace) {
         const core::SharedMatrix x = trace.stage(Stage::Embeddings).matrix(0);
         const core::SharedMatrix context = trace.stage(Stage::Context).matrix(0);
         return distance(context, 1, x, 2) < distance(context, 1, x, 1);
     }},
    {"It stays where it is",
     [](const core::Trace &trace) {
         const core::SharedMatrix x = trace.stage(Stage::Embeddings).matrix(0);
         return distance(trace.stage(Stage::Context).matrix(0), 2, x, 2) < 0.1f;
     }},
    {"beside phone, it falls the other way",
     [](const core::Trace &trace) {
         const core::Tensor context = trace.stage(Stage::Context);
         const core::SharedMatrix fruit = context.matrix(0), machine = context.matrix(1);
         return fruit(1, 0) > fruit(1, 1) && machine(1, 1) > machine(1, 0);
     }},
    {"It picks up what kind of word",
     [](const core::Trace &trace) {
         const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0, 1);
         return weights(7, 10) > 0.2f;
     }},
    {"With tired",
     [](const core::Trace &trace) { return core::tokenCalled("tired", trace.batch(), 0) >= 0; }},
    {"Its row no longer adds up to 1",
     [](const core::Trace &trace) {
         const core::SharedMatrix weights = trace.stage(Stage::AttentionWeights).matrix(0, 0);
         const auto row = weights.row(0);
         return std::accumulate(row.begin(), row.end(), 0.0) < 0.999;
     }},
};

} // namespace

std::span<const Claim> allClaims() {
    return kClaims;
}

} // namespace headlight::test
