// Numeric checks of the claims in the lessons' text.
#include "support.h"

#include "core/analysis/attention_contribution.h"
#include "core/analysis/projection.h"

#include <cmath>
#include <span>
#include <string_view>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

Session reading(const Session &session, const char *text) {
    auto changed = withText(session, text);
    REQUIRE(changed);
    return *std::move(changed);
}

SharedMatrix weights(const TracePointer &trace, Index sequence = 0, Index head = 0) {
    return trace->stage(Stage::AttentionWeights).matrix(sequence, head);
}

Session withPositions(Session session) {
    session.model.config.positions = Positions::Sinusoidal;
    return session;
}

/// Returns the trace of the step with this title.
TracePointer traceAt(const Session &session, std::string_view title) {
    const std::vector<LessonStep> &steps = session.lesson->steps;
    for (std::size_t index = 0; index < steps.size(); ++index)
        if (steps[index].title == title)
            return headlight::core::test::traceAt(session, static_cast<Index>(index));
    FAIL(title);
    return {};
}

Index wordOf(const Trace &trace, std::string_view word) {
    return trace.model().vocabularyOf(trace.model().mainStack())->idOf(word).value_or(-1);
}

/// Returns the most probable token after this one.
std::string said(const TracePointer &trace, Index sequence, Index token) {
    const SharedMatrix logits = trace->stage(Stage::Logits).matrix(sequence);
    const Index most = largest(logits.row(token));
    return std::string(trace->model().vocabularyOf(trace->model().mainStack())->word(most));
}

double distanceOf(const SharedMatrix &one, Index row, const SharedMatrix &other, Index otherRow) {
    const std::span<const float> a = one.row(row), b = other.row(otherRow);
    REQUIRE(a.size() == b.size());
    double sum = 0;
    for (std::size_t at = 0; at < a.size(); ++at)
        sum += std::pow(static_cast<double>(a[at]) - static_cast<double>(b[at]), 2);
    return std::sqrt(sum);
}

} // namespace

TEST_CASE("bank: one static vector, two contextual ones") {
    const TracePointer trace = traceOf(lesson("bank"));
    const Tensor embeddings = trace->stage(Stage::Embeddings);
    const Tensor context = trace->stage(Stage::Context);
    for (Index d = 0; d < 2; ++d)
        CHECK(embeddings.matrix(0)(1, d) == embeddings.matrix(1)(1, d));
    CHECK(context.matrix(0)(1, 0) == doctest::Approx(2.5976).epsilon(1e-4)); // next to money
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

    // Swapping words keeps their vectors.
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

    // Other sentences: the claim holds for most tokens.
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
    // The key of money has a wider angle to the query of bank than bank's own key, but is longer.
    const auto query = vectorAt(*trace, {}, Stage::Query, 1);
    const VectorPair money = comparedVectors(query, vectorAt(*trace, {}, Stage::Key, 0));
    const VectorPair itself = comparedVectors(query, vectorAt(*trace, {}, Stage::Key, 1));
    CHECK(money.degrees > itself.degrees);
    CHECK(money.lengthB > itself.lengthB);
    CHECK(money.dot > itself.dot);
    CHECK(money.projection * money.lengthA ==
          doctest::Approx(trace->stage(Stage::Scores).matrix(0)(1, 0)));
    // In both phrases, attention moves bank towards its neighbour.
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
    // The values, scaled by their weights, add up to the context.
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

    // Head 0 does not depend on which known words are at the positions.
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
    CHECK(concatenated(3, 0) > 0.5f);  // on: the previous word is a verb
    CHECK(concatenated(3, 10) > 0.5f); // its noun is a thing
    CHECK(output(3, 7) == doctest::Approx(concatenated(3, 0)));
    CHECK(output(3, 10) == doctest::Approx(concatenated(3, 10)));
    CHECK(output(2, 9) == doctest::Approx(concatenated(2, 1)));
    CHECK(output(2, 8) == doctest::Approx(concatenated(2, 9)));

    Matrix without = *session.model.parameters.main.layers[0].selfAttention.output->toMatrix();
    for (Index d = 0; d < 16; ++d)
        without(0, d) = 0;
    session.model.parameters.main.layers[0].selfAttention.output =
        makeParameter(std::move(without));
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
    for (const Stage stage : {Stage::Scores, Stage::MaskedScores, Stage::AttentionWeights})
        CHECK(trace->stage(stage).shape() == Shape{6, 1, 8, 8});
    CHECK(trace->stage(Stage::Concatenated).shape() == Shape{6, 8, 16});
    CHECK(trace->stage("layers.0.output").shape() == Shape{6, 8, 16});
    CHECK_FALSE(trace->has(Stage::Output));
    for (Index b = 0; b < 6; ++b)
        for (Index t = 0; t < 8; ++t)
            for (Index s = 0; s < 8; ++s)
                CHECK((weights(trace, b)(t, s) == 0) == (s >= lengths[b]));
    const auto &a = session.model.parameters.main.layers[0].selfAttention;
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

    // Scores are unchanged, and the visible weights keep their ratios.
    const TracePointer none = traceAt(session, 0);
    const TracePointer both = traceAt(session, 5);
    CHECK(none->stage(Stage::ScaledScores).values() == both->stage(Stage::ScaledScores).values());
    CHECK(weights(both)(3, 0) / weights(both)(3, 2) ==
          doctest::Approx(weights(none)(3, 0) / weights(none)(3, 2)).epsilon(1e-5));
}

TEST_CASE("depth: within a head of the first layer the ratio is bound, whatever the positions") {
    const Session learned = lesson("depth");
    for (const Positions positions : {Positions::Learned, Positions::None, Positions::Sinusoidal,
                                      Positions::Rotary, Positions::Alibi}) {
        Session session = learned;
        session.model.config.positions = positions;
        if (positions != Positions::Learned)
            session.model.parameters.main.positions = {};
        const TracePointer trace = traceOf(session);
        for (const Index head : {0, 1}) {
            const SharedMatrix tired = weights(trace, 0, head), crowded = weights(trace, 1, head);
            CHECK(tired(7, 1) / tired(7, 5) ==
                  doctest::Approx(crowded(7, 1) / crowded(7, 5)).epsilon(1e-5));
            CHECK(std::abs(tired(7, 1) - crowded(7, 1)) > 1e-5f); // the weights themselves differ
        }
    }
    // In the second layer both heads switch to the other noun.
    const TracePointer trace = traceOf(learned);
    const Tensor second = trace->stage("layers.1.self_attention.weights");
    for (const Index head : {0, 1}) {
        CHECK(second.matrix(0, head)(7, 1) > 0.9f);
        CHECK(second.matrix(1, head)(7, 5) > 0.9f);
    }
    CHECK(said(trace, 0, 7) == "animal");
    CHECK(said(trace, 1, 7) == "street");
}

TEST_CASE("depth: two heads by hand, the message that is cut, and the mask") {
    const Session session = lesson("depth");
    const TracePointer byHand = traceAt(session, "Two heads can tell");
    CHECK(weights(byHand, 0, 0)(7, 1) > 0.9f);
    CHECK(weights(byHand, 0, 1)(7, 10) > 0.9f);
    CHECK(weights(byHand, 1, 0)(7, 10) > 0.9f);
    CHECK(weights(byHand, 1, 1)(7, 5) > 0.9f);
    CHECK(weights(byHand, 0, 0)(7, 1) / weights(byHand, 0, 0)(7, 5) ==
          doctest::Approx(weights(byHand, 1, 0)(7, 1) / weights(byHand, 1, 0)(7, 5)).epsilon(1e-4));
    const TracePointer cut = traceAt(session, "Cut the message");
    CHECK(said(cut, 0, 7) == "street");
    CHECK(said(cut, 1, 7) == "street");
    const Tensor causal = traceAt(session, "Looking back only")->stage("layers.1.output");
    for (Index token = 0; token < 10; ++token)
        CHECK(distanceOf(causal.matrix(0), token, causal.matrix(1), token) == 0);
    CHECK(distanceOf(causal.matrix(0), 10, causal.matrix(1), 10) > 0.1);
}

TEST_CASE("heads: one by structure, one by content") {
    const Session session = lesson("heads");
    const TracePointer trace = traceOf(session);
    const SharedMatrix structure = weights(trace, 0, 0), content = weights(trace, 0, 1);
    CHECK(largest(structure.row(1)) == 3); // bank: be
    CHECK(largest(structure.row(0)) == 1); // The: bank
    CHECK(largest(structure.row(4)) == 5); // a: lifesaver
    CHECK(structure(3, 1) == doctest::Approx(structure(3, 5)));
    CHECK(largest(content.row(1)) == 5); // bank: lifesaver
    CHECK(content(1, 3) < 0.05f);
    const SharedMatrix undecided = trace->stage(Stage::Context).matrix(0, 1);
    const SharedMatrix river = trace->stage(Stage::Context).matrix(1, 1);
    CHECK(undecided(1, 0) == doctest::Approx(undecided(1, 1)));
    CHECK(river(2, 1) > river(2, 0) + 0.2f);
    // Other nouns at the same positions: head 0 gives the same weights.
    const SharedMatrix other = weights(traceOf(reading(session, "The friend can be a lender.")));
    for (Index t = 0; t < 7; ++t)
        for (Index s = 0; s < 7; ++s)
            CHECK(std::abs(other(t, s) - structure(t, s)) < 1e-6f);
    // W_O lets both heads write into dimension 7, and head 0 does not depend on head 1.
    const SharedMatrix both = trace->stage(Stage::Output).matrix(0);
    const SharedMatrix concatenated = trace->stage(Stage::Concatenated).matrix(0);
    CHECK(both(1, 7) == doctest::Approx(concatenated(1, 2) + concatenated(1, 6)));
    const SharedMatrix silenced =
        traceAt(session, "Silence a head")->stage(Stage::Output).matrix(0);
    CHECK(silenced(1, 2) == doctest::Approx(both(1, 2)));
    CHECK(silenced(1, 6) == 0);
}

TEST_CASE("cross-attention: the French looks where it writes from") {
    const Session session = lesson("cross-attention");
    const TracePointer trace = traceOf(session);
    const Tensor cross = trace->stage("decoder.layers.0.cross_attention.weights");
    CHECK(cross.shape() == Shape{2, 1, 7, 4});
    const SharedMatrix rows = cross.matrix(0, 0);
    const Index looksAt[] = {0, 1, 2, 2, 2, 3};
    const char *const writes[] = {"quatre", "cent", "quatre", "vingt", "dix", "huit", "[EOS]"};
    for (Index t = 0; t < 6; ++t)
        CHECK(largest(rows.row(t)) == looksAt[t]);
    for (Index t = 0; t < 7; ++t)
        CHECK(said(trace, 0, t) == writes[t]);
    // Keys depend on the English sentence only, and later output changes no earlier row.
    const Tensor keys = trace->stage("decoder.layers.0.cross_attention.key");
    for (Index s = 0; s < 4; ++s)
        CHECK(distanceOf(keys.matrix(0, 0), s, keys.matrix(1, 0), s) == 0);
    for (Index t = 0; t < 3; ++t)
        CHECK(distanceOf(rows, t, cross.matrix(1, 0), t) < 1e-6);
    const TracePointer five = traceAt(session, "Other English");
    CHECK(said(five, 0, 0) == "cinq");
    for (Index t = 1; t < 7; ++t)
        CHECK(said(five, 0, t) == writes[t]);
}

TEST_CASE("block: not good, norms, and a gradient with and without the residual connections") {
    const Session session = lesson("block");
    const TracePointer trace = traceOf(session);
    const Tensor verdict = trace->stage("layers.0.feed_forward.output");
    const double good = verdict.matrix(0)(3, 3), notGood = verdict.matrix(1)(4, 3);
    const double bad = verdict.matrix(2)(3, 3), notBad = verdict.matrix(3)(4, 3);
    CHECK(good > 0.9);
    CHECK(notGood < -0.9);
    CHECK(bad < -0.9);
    CHECK(notBad > 0.9);
    CHECK(good - notGood == doctest::Approx(-(bad - notBad))); // so no single matrix can do it
    CHECK(traceAt(session, "Without the sum")->stage("layers.5.output").matrix(0)(3, 0) == 0);
    const auto gelu =
        traceAt(session, "ReLU and GELU")->stage("layers.0.feed_forward.activated").matrix(1);
    CHECK(gelu(4, 0) == doctest::Approx(-0.16).epsilon(0.05));

    const auto normOf = [&](std::string_view step) {
        return traceAt(session, step)->stage("layers.0.self_attention.norm");
    };
    CHECK(distanceOf(normOf("Layer norm").matrix(0), 3, normOf("Layer norm").matrix(4), 3) < 0.01);
    CHECK(distanceOf(normOf("Batch norm").matrix(0), 3, normOf("Batch norm").matrix(4), 3) > 1);

    const auto arrives = [&](std::string_view step, const char *layer) {
        const Tensor output = traceAt(session, step)->stage(layer);
        return distanceOf(output.matrix(0), 3, output.matrix(5), 3) / 0.01;
    };
    CHECK(arrives("A gradient", "layers.5.output") > 1);
    CHECK(arrives("Without residual", "layers.0.output") >
          arrives("Without residual", "layers.2.output"));
    CHECK(arrives("Without residual", "layers.5.output") < 1e-3);
}

TEST_CASE("long-range: what each kind of position does to a far word") {
    const Session session = lesson("long-range");
    struct Pair {
        double score, masked, weight;
    };
    const auto pairs = [&](std::string_view step) {
        const TracePointer trace = traceAt(session, step);
        const Index bank[] = {5, 6, 13, 7}, money[] = {7, 0, 0, 9};
        std::vector<Pair> all;
        const Tensor scores = trace->stage(Stage::Scores);
        for (Index s = 0; s < scores.shape()[0]; ++s) // some steps show only the first two
            all.push_back({scores.matrix(s)(bank[s], money[s]),
                           trace->stage(Stage::MaskedScores).matrix(s)(bank[s], money[s]),
                           weights(trace, s)(bank[s], money[s])});
        return all;
    };
    const auto none = pairs("More words between");
    CHECK(none[1].score == none[0].score);
    CHECK(none[1].weight == doctest::Approx(none[0].weight).epsilon(1e-6));
    CHECK(none[2].score == none[0].score);
    CHECK(none[2].weight < none[0].weight - 0.1);
    const auto sines = pairs("Sinusoidal"), table = pairs("Learned: a table"),
               rotary = pairs("Rotary"), alibi = pairs("ALiBi");
    CHECK(sines[0].score > sines[1].score);
    CHECK(sines[1].score > sines[2].score);
    CHECK(std::abs(table[3].score - table[0].score) > 0.1);
    CHECK(rotary[3].score == doctest::Approx(rotary[0].score).epsilon(1e-5));
    CHECK(rotary[0].score > rotary[1].score);
    CHECK(alibi[1].score == none[0].score);
    CHECK(alibi[1].masked == doctest::Approx(none[0].masked - 3));
    CHECK(alibi[1].weight < alibi[0].weight - 0.2);
    const auto relative = pairs("Relative");
    CHECK(relative[1].masked == doctest::Approx(none[0].masked - 2));
    const SharedMatrix bias = traceAt(session, "Relative")->stage(Stage::PositionBias).matrix(0);
    CHECK(bias(6, 0) == bias(7, 0)); // both are in one bucket
}

TEST_CASE("learning: an induction head needs the head before it") {
    const Session session = lesson("learning");
    const TracePointer random = traceAt(session, "The beginning");
    double entropy = 0;
    const SharedMatrix untrained = weights(random);
    for (const float share : untrained.row(12))
        entropy -=
            share > 0 ? static_cast<double>(share) * std::log2(static_cast<double>(share)) : 0;
    CHECK(entropy > 3.6); // the maximum is log2 13 = 3.70
    const TracePointer learned = traceAt(session, "Layer 1 afterwards");
    const SharedMatrix first = weights(learned);
    CHECK(largest(first.row(12)) == 11);
    const auto second = [](const TracePointer &trace) {
        return trace->stage("layers.1.self_attention.weights").matrix(0, 0);
    };
    CHECK(second(learned)(12, 4) > 0.7f);
    CHECK(said(learned, 0, 12) == "o");
    const TracePointer cut = traceAt(session, "Two layers");
    CHECK(second(cut)(12, 4) < 0.2f);
    CHECK(said(cut, 0, 12) != "o");
}

TEST_CASE("writing: temperatures, and a circle") {
    const Session session = lesson("writing");
    const auto teaToCoffee = [&](std::string_view step) {
        const TracePointer trace = traceAt(session, step);
        const SharedMatrix probabilities = trace->stage(Stage::Probabilities).matrix(0);
        const std::span<const float> shares = probabilities.row(2);
        return static_cast<double>(shares[static_cast<std::size_t>(wordOf(*trace, "tea"))]) /
               static_cast<double>(shares[static_cast<std::size_t>(wordOf(*trace, "coffee"))]);
    };
    CHECK(teaToCoffee("Low temperature") ==
          doctest::Approx(std::pow(teaToCoffee("Probabilities"), 2)).epsilon(1e-4));
    CHECK(teaToCoffee("High temperature") ==
          doctest::Approx(std::sqrt(teaToCoffee("Probabilities"))).epsilon(1e-4));
    const TracePointer trace = traceOf(session);
    CHECK(said(trace, 0, 2) == "tea");
    CHECK(said(trace, 1, 2) == "soup");
    const char *const circle[] = {"drink", "hot", "tea", ".", "I"};
    for (Index token = 0; token < 5; ++token)
        CHECK(said(trace, 3, token) == circle[token]);
    const Tensor output = trace->stage("layers.0.output");
    for (Index token = 0; token < 3; ++token)
        CHECK(distanceOf(output.matrix(0), token, output.matrix(2), token) < 1e-6);
}

TEST_CASE("shapes: of every stage of a block") {
    const TracePointer trace = traceOf(lesson("shapes"));
    CHECK(trace->stage(Stage::Embeddings).shape() == Shape{6, 8, 32});
    for (const Stage stage : {Stage::Query, Stage::Key, Stage::Value, Stage::Context})
        CHECK(trace->stage(stage).shape() == Shape{6, 2, 8, 16});
    for (const Stage stage : {Stage::Scores, Stage::MaskedScores, Stage::AttentionWeights})
        CHECK(trace->stage(stage).shape() == Shape{6, 2, 8, 8});
    CHECK(trace->stage(Stage::Concatenated).shape() == Shape{6, 8, 32});
    CHECK(trace->stage("layers.0.feed_forward.hidden").shape() == Shape{6, 8, 128});
    CHECK(trace->stage("layers.0.output").shape() == Shape{6, 8, 32});
}
