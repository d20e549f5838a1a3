// What the lessons say in words, as numbers.
#include "support.h"

#include "core/analysis/attention_pull.h"
#include "core/analysis/projection.h"

#include <cmath>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

Session reading(const Session &session, const char *text) {
    auto changed = withText(session, text);
    REQUIRE(changed);
    return *std::move(changed);
}

SharedMatrix weights(const TracePointer &trace, Index sequence = 0, Index head = 0) {
    return trace->stage(Stage::Weights).matrix(sequence, head);
}

Session withPositions(Session session) {
    session.model.config.positions = Positions::Sinusoidal;
    return session;
}

} // namespace

TEST_CASE("bank: one static vector, two contextual ones") {
    const TracePointer trace = traceOf(lesson("bank"));
    const Tensor embeddings = trace->stage(Stage::Embeddings);
    const Tensor context = trace->stage(Stage::Context);
    for (Index d = 0; d < 2; ++d)
        CHECK(embeddings.matrix(0)(1, d) == embeddings.matrix(1)(1, d));
    CHECK(context.matrix(0)(1, 0) == doctest::Approx(2.5976).epsilon(1e-4)); // beside money
    CHECK(context.matrix(0)(1, 1) == doctest::Approx(0.4409).epsilon(1e-3));
    CHECK(context.matrix(1)(1, 0) == doctest::Approx(context.matrix(0)(1, 1)).epsilon(1e-6));
    CHECK(context.matrix(1)(1, 1) == doctest::Approx(context.matrix(0)(1, 0)).epsilon(1e-6));

    const Tensor scaled = trace->stage(Stage::ScaledScores);
    const double money = std::exp(static_cast<double>(scaled.matrix(0)(1, 0)));
    const double bank = std::exp(static_cast<double>(scaled.matrix(0)(1, 1)));
    CHECK(money == doctest::Approx(33.1).epsilon(0.05 / 33.1));
    CHECK(bank == doctest::Approx(8.3).epsilon(0.05 / 8.3));
    CHECK(money + bank == doctest::Approx(41.5).epsilon(0.05 / 41.5));
    CHECK(weights(trace)(1, 0) == doctest::Approx(0.7988).epsilon(1e-3));
    CHECK(weights(trace, 1)(1, 0) == doctest::Approx(0.7988).epsilon(1e-3));

    Session hotter = lesson("bank");
    hotter.model.config.temperature = 2;
    CHECK(weights(traceOf(hotter))(1, 0) < weights(trace)(1, 0));
    Session unscaled = lesson("bank");
    unscaled.model.config.scale.kind = Scale::Kind::Off;
    CHECK(weights(traceOf(unscaled))(1, 0) > weights(trace)(1, 0));
}

TEST_CASE("sentence: without positions both banks are the same in every stage") {
    const TracePointer trace = traceAt(lesson("sentence"), 1);
    REQUIRE(trace->batch().length() == 11);
    CHECK(trace->batch()[0].tokens[4].text == "bank");
    CHECK(trace->batch()[0].tokens[9].text == "bank");
    const SharedMatrix w = weights(trace);
    for (Index i = 0; i < 11; ++i) {
        CHECK(std::abs(w(4, i) - w(9, i)) < 1e-6f);
        CHECK(std::abs(w(i, 4) - w(i, 9)) < 1e-6f);
    }
    const SharedMatrix z = trace->stage(Stage::Context).matrix(0);
    for (Index d = 0; d < 16; ++d)
        CHECK(std::abs(z(4, d) - z(9, d)) < 1e-6f);

    // Words in another order get the same vectors.
    const TracePointer swapped =
        traceOf(reading(lesson("sentence"), "She visited the river bank, near the money bank."));
    const SharedMatrix other = swapped->stage(Stage::Context).matrix(0);
    for (Index d = 0; d < 16; ++d) {
        CHECK(std::abs(z(4, d) - other(4, d)) < 1e-5f);
        CHECK(std::abs(z(3, d) - other(8, d)) < 1e-5f);
    }
    CHECK(weights(swapped)(4, 8) == doctest::Approx(w(4, 3)).epsilon(1e-5));
}

TEST_CASE("sentence: with positions each token finds the one before it") {
    const Session session = withPositions(lesson("sentence"));
    const TracePointer trace = traceOf(session);
    const SharedMatrix w = weights(trace);
    CHECK(largest(w.row(0)) == 0);
    for (Index t = 1; t < 11; ++t) {
        CHECK(largest(w.row(t)) == t - 1);
        CHECK(w(t, t - 1) > 0.5f);
    }
    const SharedMatrix z = trace->stage(Stage::Context).matrix(0);
    CHECK(z(4, 8) > z(9, 8) + 0.5f);   // money
    CHECK(z(9, 10) > z(4, 10) + 0.5f); // water
    for (Index key = 0; key < 11; ++key)
        if (key != 8)
            CHECK(trace->stage(Stage::ScaledScores).matrix(0)(9, key) <
                  trace->stage(Stage::ScaledScores).matrix(0)(9, 8));

    // Other sentences: most tokens.
    Index found = 0, tokens = 0;
    for (const char *text :
         {"Nobody expected the snow to fall so early in the year, least of all the gardeners.",
          "We walked along the shore until the sun went down behind the hills.",
          "Attention is all you need", "To be, or not to be, that is the question:"}) {
        const TracePointer typed = traceOf(reading(session, text));
        const SharedMatrix read = weights(typed);
        for (Index t = 1; t < typed->batch().length(); ++t, ++tokens)
            found += largest(read.row(t)) == t - 1 ? 1 : 0;
    }
    CHECK(static_cast<double>(found) > 0.9 * static_cast<double>(tokens));
}

TEST_CASE("bank: a pull that is neither symmetric nor likeness") {
    const TracePointer trace = traceOf(lesson("bank"));
    const SharedMatrix w = weights(trace);
    CHECK(w(0, 1) < w(1, 0) / 10);
    // The key of money lies at a wider angle to the query of bank than its own key, and is longer.
    const auto query = vectorAt(*trace, {}, Stage::Query, 1);
    const VectorPair money = comparedVectors(query, vectorAt(*trace, {}, Stage::Key, 0));
    const VectorPair itself = comparedVectors(query, vectorAt(*trace, {}, Stage::Key, 1));
    CHECK(money.degrees > itself.degrees);
    CHECK(money.lengthB > itself.lengthB);
    CHECK(money.dot > itself.dot);
    CHECK(money.projection * money.lengthA ==
          doctest::Approx(trace->stage(Stage::Scores).matrix(0)(1, 0)));
    // In each phrase gravity takes bank to its neighbour.
    for (const Index sequence : {0, 1}) {
        const auto gravity = gravityOf(*trace, sequence, 0);
        REQUIRE(gravity);
        CHECK(gravity->toContext);
        const auto distance = [&](const Matrix &of) {
            return std::hypot(static_cast<double>(of(1, 0) - gravity->from(0, 0)),
                              static_cast<double>(of(1, 1) - gravity->from(0, 1)));
        };
        CHECK(distance(gravity->to) < distance(gravity->from) / 3);
    }
    // The values, shortened to their weights, end at the context.
    const auto pulls = pullsOf(*trace, {}, 1);
    REQUIRE(pulls.size() == 2);
    CHECK(pulls.back().to[0] == doctest::Approx(trace->stage(Stage::Context).matrix(0)(1, 0)));
}

TEST_CASE("sentence: the rightmost key has the largest weight") {
    const TracePointer trace = traceOf(withPositions(lesson("sentence")));
    const SharedMatrix scores = trace->stage(Stage::Scores).matrix(0);
    const SharedMatrix keys = trace->stage(Stage::Key).matrix(0);
    const SharedMatrix shares = weights(trace);
    for (Index t = 0; t < 11; ++t) {
        const auto plane = dotProductPlane(vectorAt(*trace, {}, Stage::Query, t), keys);
        REQUIRE(plane);
        Index rightmost = 0;
        for (Index key = 1; key < 11; ++key)
            if (plane->of(keys.row(key)).x > plane->of(keys.row(rightmost)).x)
                rightmost = key;
        CHECK(rightmost == largest(shares.row(t)));
        CHECK(rightmost == largest(scores.row(t)));
    }
    std::vector<float> last(scores.row(9).begin(), scores.row(9).end());
    last[8] = -1e9f;
    CHECK(largest(last) == 9);
}

TEST_CASE("cat: head 0 sees places, head 1 kinds of words") {
    const Session session = lesson("cat");
    const TracePointer trace = traceOf(session);
    const SharedMatrix places = weights(trace, 0, 0), kinds = weights(trace, 0, 1);
    for (Index t = 1; t < 6; ++t)
        CHECK(largest(places.row(t)) == t - 1);
    CHECK(largest(places.row(0)) == 0);
    const Index looksAt[] = {1, 2, 1, 5, 5, 3};
    for (Index t = 0; t < 6; ++t) {
        CHECK(largest(kinds.row(t)) == looksAt[t]);
        CHECK(kinds(t, looksAt[t]) > 0.5f);
    }
    const SharedMatrix swapped = weights(traceOf(reading(session, "The mat sat on the cat")), 0, 1);
    CHECK(largest(swapped.row(2)) == 5);

    // Head 0 does not care which of the given words stand there.
    const TracePointer other = traceOf(reading(session, "A dog slept under the box"));
    for (Index t = 0; t < 6; ++t)
        for (Index s = 0; s < 6; ++s)
            CHECK(std::abs(weights(other)(t, s) - weights(trace)(t, s)) < 1e-6f);
}

TEST_CASE("cat: the output is the sum of what the heads write") {
    Session session = lesson("cat");
    const TracePointer trace = traceOf(session);
    const SharedMatrix concatenated = trace->stage(Stage::Concatenated).matrix(0);
    const SharedMatrix output = trace->stage(Stage::Output).matrix(0);
    CHECK(concatenated(3, 0) > 0.5f);  // on: the word before is a verb
    CHECK(concatenated(3, 10) > 0.5f); // its noun is a thing
    CHECK(output(3, 7) == doctest::Approx(concatenated(3, 0)));
    CHECK(output(3, 10) == doctest::Approx(concatenated(3, 10)));
    CHECK(output(2, 9) == doctest::Approx(concatenated(2, 1)));
    CHECK(output(2, 8) == doctest::Approx(concatenated(2, 9)));

    Matrix without = *session.model.weights.main.layers[0].selfAttention.output->toMatrix();
    for (Index d = 0; d < 16; ++d)
        without(0, d) = 0;
    session.model.weights.main.layers[0].selfAttention.output = makeParameter(std::move(without));
    const TracePointer keep = traceOf(session);
    const SharedMatrix less = keep->stage(Stage::Output).matrix(0);
    for (Index t = 0; t < 6; ++t)
        for (Index d = 0; d < 16; ++d)
            CHECK(less(t, d) == doctest::Approx(d == 7 ? 0 : output(t, d)));
}

TEST_CASE("batch: the shapes of every stage") {
    const Session session = lesson("batch");
    const TracePointer trace = traceOf(session);
    const Index lengths[] = {8, 8, 7, 6, 5, 3};
    Index real = 0;
    for (Index b = 0; b < 6; ++b) {
        CHECK(trace->batch()[b].length == lengths[b]);
        real += trace->batch()[b].length;
    }
    CHECK(real == 37);
    CHECK(trace->stage(Stage::Embeddings).shape() == Shape{6, 8, 32});
    for (const Stage stage : {Stage::Query, Stage::Key, Stage::Value, Stage::Context})
        CHECK(trace->stage(stage).shape() == Shape{6, 1, 8, 16});
    for (const Stage stage : {Stage::Scores, Stage::MaskedScores, Stage::Weights})
        CHECK(trace->stage(stage).shape() == Shape{6, 1, 8, 8});
    CHECK(trace->stage(Stage::Concatenated).shape() == Shape{6, 8, 16});
    CHECK(trace->stage("layers.0.output").shape() == Shape{6, 8, 16});
    CHECK_FALSE(trace->has(Stage::Output));
    for (Index b = 0; b < 6; ++b)
        for (Index t = 0; t < 8; ++t)
            for (Index s = 0; s < 8; ++s)
                CHECK((weights(trace, b)(t, s) == 0) == (s >= lengths[b]));
    const auto &a = session.model.weights.main.layers[0].selfAttention;
    Index learned = 0;
    for (const Parameter &parameter : {a.query, a.key, a.value})
        learned += parameter->rows() * parameter->columns();
    CHECK(learned == 1536);
}

TEST_CASE("look-ahead: what each mask hides") {
    const Session session = lesson("look-ahead");
    const Index real = 4, length = 6;
    const auto hides = [&](Index step, auto &&hidden) {
        const TracePointer trace = traceAt(session, step);
        const SharedMatrix masked = trace->stage(Stage::MaskedScores).matrix(0);
        REQUIRE(masked.rows == length);
        for (Index t = 0; t < length; ++t)
            for (Index s = 0; s < length; ++s) {
                CHECK((weights(trace)(t, s) == 0) == hidden(t, s));
                CHECK((masked(t, s) == -std::numeric_limits<float>::infinity()) == hidden(t, s));
            }
    };
    const auto causal = [](Index t, Index s) { return s > t; };
    const auto padding = [](Index, Index s) { return s >= real; };
    hides(0, [](Index, Index) { return false; });
    hides(1, causal);
    hides(2, causal);
    hides(3, padding);
    hides(4, [&](Index t, Index s) { return causal(t, s) || padding(t, s); });
    hides(5, [&](Index t, Index s) { return causal(t, s) || padding(t, s); });

    // Scores stay, and the visible weights keep their proportions.
    const TracePointer none = traceAt(session, 0);
    const TracePointer both = traceAt(session, 5);
    CHECK(none->stage(Stage::ScaledScores).values() == both->stage(Stage::ScaledScores).values());
    CHECK(weights(both)(3, 0) / weights(both)(3, 2) ==
          doctest::Approx(weights(none)(3, 0) / weights(none)(3, 2)).epsilon(1e-5));
}
