// Numeric checks of the claims in the first lessons: words, bank, query-key-value, scores, scaling,
// softmax, gravity, look-ahead.
#include "support.h"

#include <cmath>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

SharedMatrix weightsOf(const TracePointer &trace, Index sequence = 0, Index head = 0) {
    return trace->stage(Stage::AttentionWeights).matrix(sequence, head);
}

SharedMatrix scoresOf(const TracePointer &trace, Index sequence = 0, Index head = 0) {
    return trace->stage(Stage::Scores).matrix(sequence, head);
}

/// Returns a copy of a row, which outlives a temporary matrix.
std::vector<float> rowOf(const SharedMatrix &matrix, Index row) {
    return {matrix.row(row).begin(), matrix.row(row).end()};
}

double cosineOf(std::span<const float> a, std::span<const float> b) {
    double dot = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        dot += static_cast<double>(a[i]) * static_cast<double>(b[i]);
        aa += static_cast<double>(a[i]) * static_cast<double>(a[i]);
        bb += static_cast<double>(b[i]) * static_cast<double>(b[i]);
    }
    return dot / std::sqrt(aa * bb);
}

double distanceBetween(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
    return std::sqrt(sum);
}

/// Returns the largest entry of softmax's Jacobian at a row of weights, aᵢ(δᵢⱼ − aⱼ).
double steepest(std::span<const float> row) {
    double most = 0;
    for (const float a : row)
        most = std::max(most, static_cast<double>(a) * (1 - static_cast<double>(a)));
    return most;
}

} // namespace

TEST_CASE("words: what counting keeps, and what it forgets") {
    const TracePointer trace = traceOf(lesson("words"));
    const Tensor x = trace->stage(Stage::Embeddings), mean = trace->stage(Stage::Context);
    // Sequences 2 and 3 are sequences 0 and 1 in one-hot encoding, with one dimension per distinct
    // word.
    for (Index token = 0; token < 6; ++token)
        for (Index other = 0; other < 6; ++other) {
            const bool same = trace->batch()[2].tokens[static_cast<std::size_t>(token)].text ==
                              trace->batch()[3].tokens[static_cast<std::size_t>(other)].text;
            CHECK(cosineOf(rowOf(x.matrix(2), token), rowOf(x.matrix(3), other)) == (same ? 1 : 0));
        }
    // Two "the" and one "on" of six words: 5 ÷ 8.
    CHECK(cosineOf(rowOf(mean.matrix(2), 0), rowOf(mean.matrix(3), 0)) == doctest::Approx(0.625));
    CHECK(cosineOf(rowOf(x.matrix(0), 1), rowOf(x.matrix(1), 1)) > 0.8); // cat, kitten
    CHECK(cosineOf(rowOf(x.matrix(0), 1), rowOf(x.matrix(0), 5)) < 0.3); // cat, sofa
    CHECK(cosineOf(rowOf(mean.matrix(0), 0), rowOf(mean.matrix(1), 0)) > 0.9);
    CHECK(std::log(3.0 / 3) + 1 == doctest::Approx(1)); // idf of "the"
    CHECK(std::log(3.0 / 2) + 1 == doctest::Approx(1.41).epsilon(0.005));
    const Tensor swapped = traceAt(lesson("words"), 3)->stage(Stage::Context);
    CHECK(cosineOf(rowOf(swapped.matrix(2), 0), rowOf(swapped.matrix(3), 0)) == doctest::Approx(1));
}

TEST_CASE("bank: one cosine before, another after") {
    const TracePointer trace = traceOf(lesson("bank"));
    const Tensor x = trace->stage(Stage::Embeddings), z = trace->stage(Stage::Context);
    CHECK(cosineOf(rowOf(x.matrix(0), 1), rowOf(x.matrix(1), 1)) == doctest::Approx(1));
    CHECK(cosineOf(rowOf(z.matrix(0), 1), rowOf(z.matrix(1), 1)) ==
          doctest::Approx(0.33).epsilon(0.005));
    CHECK(weightsOf(trace, 1)(1, 0) == doctest::Approx(weightsOf(trace)(1, 0)));
}

TEST_CASE("query-key-value: symmetric scores, weights that are not, and another sequence") {
    const Session session = lesson("query-key-value");
    const TracePointer plain = traceAt(session, 5);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j)
            CHECK(scoresOf(plain)(i, j) == scoresOf(plain)(j, i));
    CHECK(weightsOf(plain)(1, 2) < weightsOf(plain)(2, 1) / 3);
    // Scores are also symmetric if query and key share one matrix.
    Session shared = session;
    auto &attention = shared.model.parameters.main.layers[0].selfAttention;
    attention.key = attention.query;
    const TracePointer both = traceOf(shared);
    for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j)
            CHECK(scoresOf(both)(i, j) == doctest::Approx(scoresOf(both)(j, i)));
    const TracePointer trace = traceOf(session);
    CHECK(scoresOf(trace)(1, 0) == 10);
    CHECK(scoresOf(trace)(0, 1) == 8);
    CHECK(largest(rowOf(weightsOf(trace), 1)) == 0);
    // Cross-attention has the same queries, but keys and values of the other sequence.
    const Tensor cross = trace->stage("layers.0.cross_attention.weights");
    CHECK(cross.shape() == Shape{1, 1, 3, 4});
    CHECK(largest(rowOf(cross.matrix(0, 0), 1)) == 1);
    CHECK(trace->stage("layers.0.cross_attention.query").values() ==
          trace->stage("layers.0.self_attention.query").values());
}

TEST_CASE("scores: rows and columns, length and angle, and the square of the length") {
    const TracePointer trace = traceOf(lesson("scores"));
    const SharedMatrix s = scoresOf(trace);
    CHECK(s(0, 1) == 10);
    CHECK(s(1, 0) == 2);
    const SharedMatrix keys = trace->stage(Stage::Key).matrix(0);
    const auto birds = rowOf(trace->stage(Stage::Query).matrix(0), 0);
    CHECK(cosineOf(birds, keys.row(2)) == doctest::Approx(1));
    CHECK(cosineOf(birds, keys.row(0)) == doctest::Approx(std::sqrt(0.5)));
    CHECK(s(0, 0) > s(0, 2));
    CHECK(s(3, 1) == -3);
    CHECK(weightsOf(trace)(3, 1) > 0);
    const SharedMatrix twice = scoresOf(traceAt(lesson("scores"), 6));
    REQUIRE(twice.rows == 8);
    REQUIRE(twice.columns == 8);
    for (Index i = 0; i < 8; ++i)
        for (Index j = 0; j < 8; ++j)
            CHECK(twice(i, j) == s(i % 4, j % 4));
}

TEST_CASE("scaling: the width of a head, six scores, and a slope that vanishes") {
    const Session session = lesson("scaling");
    const TracePointer trace = traceOf(session);
    double squares = 0;
    for (const float score : trace->stage(Stage::Scores).values())
        squares += static_cast<double>(score) * static_cast<double>(score);
    // 8 heads of 36 scores: their standard deviation is about √64.
    CHECK(std::sqrt(squares / 288) == doctest::Approx(8).epsilon(0.2));
    CHECK(scoresOf(trace)(3, 2) / trace->stage(Stage::ScaledScores).matrix(0)(3, 2) ==
          doctest::Approx(8));
    CHECK(weightsOf(trace)(3, 2) == doctest::Approx(0.54).epsilon(0.01));
    CHECK(weightsOf(traceAt(session, 6))(3, 2) > 0.99f);
    const TracePointer small = traceAt(session, 3), large = traceAt(session, 4);
    const float expected[] = {0.1848f, 0.2494f, 0.0680f, 0.1706f, 0.2372f, 0.0900f};
    for (Index j = 0; j < 6; ++j)
        CHECK(weightsOf(small)(3, j) == doctest::Approx(expected[j]).epsilon(2e-3));
    CHECK(weightsOf(large)(3, 1) / weightsOf(large)(3, 4) ==
          doctest::Approx(std::exp(5)).epsilon(1e-3));
    CHECK(weightsOf(large)(3, 1) == doctest::Approx(0.9933).epsilon(1e-4));
    const TracePointer raised = traceAt(session, 5);
    CHECK(weightsOf(raised, 1)(3, 1) - weightsOf(raised, 0)(3, 1) > 0.2f);
    CHECK(weightsOf(raised, 3)(3, 1) - weightsOf(raised, 2)(3, 1) < 0.005f);
    CHECK(steepest(rowOf(weightsOf(small), 3)) > 0.18);
    CHECK(steepest(rowOf(weightsOf(large), 3)) < 0.007);
}

TEST_CASE("softmax: along the row, differences alone, and a mean") {
    const Session session = lesson("softmax");
    const TracePointer one = traceAt(session, 1), all = traceAt(session, 2);
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j) {
            const float before = weightsOf(one, 0)(i, j), after = weightsOf(one, 1)(i, j);
            CHECK((i == 3 ? before != after : before == after));
            CHECK(scoresOf(all, 1)(i, j) - scoresOf(all, 0)(i, j) == (i == 3 ? 5 : 0));
            CHECK(weightsOf(all, 1)(i, j) == doctest::Approx(weightsOf(all, 0)(i, j)));
        }
    const TracePointer trace = traceOf(session);
    CHECK(weightsOf(trace)(3, 2) / weightsOf(trace)(3, 1) == doctest::Approx(std::exp(1)));
    CHECK(weightsOf(traceAt(session, 3))(3, 2) > weightsOf(trace)(3, 2));
    const SharedMatrix values = trace->stage(Stage::Value).matrix(0);
    const SharedMatrix context = trace->stage(Stage::Context).matrix(0);
    for (Index d = 0; d < 2; ++d) {
        float least = values(0, d), most = values(0, d);
        for (Index token = 1; token < 4; ++token) {
            least = std::min(least, values(token, d));
            most = std::max(most, values(token, d));
        }
        for (Index token = 0; token < 4; ++token) {
            CHECK(context(token, d) > least);
            CHECK(context(token, d) < most);
        }
        CHECK(values(0, d) == 0); // one dimension of the values is zero
    }
}

TEST_CASE("gravity: no counterforce, no distance, no pushing, and ever nearer") {
    const Session session = lesson("gravity");
    const TracePointer trace = traceOf(session);
    CHECK(scoresOf(trace)(1, 2) == scoresOf(trace)(2, 1));
    CHECK(weightsOf(trace)(1, 2) > 0.5f);
    CHECK(weightsOf(trace)(2, 1) < 0.01f);
    const TracePointer farther = traceAt(session, 3), opposite = traceAt(session, 5);
    const SharedMatrix x = farther->stage(Stage::Embeddings).matrix(1);
    CHECK(distanceBetween(x.row(1), x.row(2)) >
          2 * distanceBetween(x.row(1), rowOf(farther->stage(Stage::Embeddings).matrix(0), 2)));
    CHECK(weightsOf(farther, 1)(1, 2) > weightsOf(farther, 0)(1, 2));
    CHECK(scoresOf(opposite, 1)(1, 2) == -8);
    CHECK(weightsOf(opposite, 1)(1, 2) > 0);
    const TracePointer turned = traceAt(session, 6);
    CHECK(weightsOf(turned)(1, 2) == weightsOf(trace)(1, 2));
    CHECK(turned->stage(Stage::Context).matrix(0)(1, 1) >
          turned->stage(Stage::Context).matrix(0)(1, 0));
    double before = distanceBetween(rowOf(trace->stage(Stage::Embeddings).matrix(0), 0),
                                    rowOf(trace->stage(Stage::Embeddings).matrix(0), 2));
    for (const char *layer : {"0", "1", "2"}) {
        const SharedMatrix z =
            trace->stage("layers." + std::string(layer) + ".self_attention.concatenated").matrix(0);
        const double after = distanceBetween(z.row(0), z.row(2));
        CHECK(after < before / 3);
        before = after;
    }
}

TEST_CASE("look-ahead: one more word leaves the rows before it as they are") {
    const TracePointer trace = traceAt(lesson("look-ahead"), 9);
    for (Index i = 0; i < 2; ++i)
        for (Index j = 0; j < 3; ++j)
            CHECK(weightsOf(trace, 0)(i, j) == weightsOf(trace, 1)(i, j));
    CHECK(weightsOf(trace, 1)(2, 2) > 0);
    const TracePointer cheating = traceAt(lesson("look-ahead"), 11);
    CHECK(weightsOf(cheating)(1, 2) > 0);
    // A row that is masked with −1e9 instead of −∞ becomes uniform.
    Session hidden = *atStep(lesson("look-ahead"), 7);
    hidden.model.config.masking.value = -1e9f;
    const TracePointer large = traceOf(hidden);
    for (Index j = 0; j < 6; ++j)
        CHECK(weightsOf(large)(2, j) == doctest::Approx(1.0 / 6));
}
