// Numeric checks of the lessons' statements about edits.
#include "support.h"

#include <cmath>

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

SharedMatrix weightsOfHead(const TracePointer &trace, Index head = 0) {
    return trace->stage(Stage::AttentionWeights).matrix(0, head);
}

/// Returns the session at the lesson's step with this title.
Session stepOf(const std::string &id, const std::string &title) {
    const Session session = lesson(id);
    const auto &steps = session.lesson->steps;
    for (std::size_t index = 0; index < steps.size(); ++index)
        if (steps[index].title == title) {
            const auto state = atStep(session, static_cast<Index>(index));
            REQUIRE(state);
            return *state;
        }
    FAIL("no step " << title);
    return session;
}

} // namespace

TEST_CASE("bank: the first number of W_Q turned to −1") {
    Session session = stepOf("bank", "Turn a number");
    const TracePointer before = traceOf(session);
    CHECK(weightsOfHead(before)(1, 0) > weightsOfHead(before)(1, 1));
    float last = weightsOfHead(before)(1, 0);
    for (const float value : {0.5f, 0.0f, -0.5f, -1.0f}) { // moves gradually to the left
        StatePatch patch;
        patch.parameters = {{{0, ParameterKind::Query}, {{0, 0, value}}, {}}};
        session = *patched(session, patch);
        const TracePointer trace = traceOf(session);
        CHECK(weightsOfHead(trace)(1, 0) < last);
        last = weightsOfHead(trace)(1, 0);
    }
    CHECK(last < 0.5f); // bank attends more to itself than to money
}

TEST_CASE("bank: an overridden score changes only what comes after it") {
    const TracePointer computed = traceOf(stepOf("bank", "Turn a number"));
    const TracePointer trace = traceOf(stepOf("bank", "What if the two did not match?"));
    const Tensor scores = trace->stage(Stage::Scores);
    CHECK(scores.matrix(0)(1, 0) == 0);
    CHECK(scores.matrix(0)(1, 1) == computed->stage(Stage::Scores).matrix(0)(1, 1));
    CHECK(trace->stage(Stage::Query).values() == computed->stage(Stage::Query).values());
    CHECK(weightsOfHead(trace)(1, 0) < 0.2f);
    CHECK(weightsOfHead(trace)(1, 0) + weightsOfHead(trace)(1, 1) == doctest::Approx(1));
}

TEST_CASE("cat: without head 0 nobody writes the odd dimensions") {
    const TracePointer all = traceOf(stepOf("cat", "The output matrix puts them together"));
    const TracePointer trace = traceOf(stepOf("cat", "Silence a head"));
    const SharedMatrix output = trace->stage(Stage::Output).matrix(0);
    const SharedMatrix before = all->stage(Stage::Output).matrix(0);
    for (Index token = 0; token < output.rows; ++token)
        for (Index d = 0; d < output.columns; ++d) {
            if (d % 2 == 1)
                CHECK(output(token, d) == 0);
            else
                CHECK(output(token, d) == doctest::Approx(before(token, d)).epsilon(1e-5));
        }
    CHECK(before(3, 7) > 0.5f);
    CHECK(weightsOfHead(trace)(1, 0) ==
          weightsOfHead(all)(1, 0)); // the attention weights stay visible
    CHECK(trace->stage(Stage::Context).matrix(0, 0)(1, 0) == 0);
}

TEST_CASE("look-ahead: after softmax the row of I keeps what it gave itself, and no more") {
    const TracePointer trace = traceOf(stepOf("look-ahead", "A mask after softmax"));
    const SharedMatrix unmasked = trace->stage(Stage::UnmaskedWeights).matrix(0);
    CHECK(unmasked(0, 1) > 0);
    CHECK(weightsOfHead(trace)(0, 0) == unmasked(0, 0));
    for (Index key = 1; key < 6; ++key)
        CHECK(weightsOfHead(trace)(0, key) == 0);
    CHECK(weightsOfHead(trace)(0, 0) < 0.5f);
}

TEST_CASE("look-ahead: a row that may see nothing, and one in which all scores are −1e9") {
    Session session = stepOf("look-ahead", "A row that may see nothing");
    const TracePointer nothing = traceOf(session);
    CHECK(nothing->mask(0).seesNothing(2));
    session.model.config.masking.value = -1e9f;
    const TracePointer alike = traceOf(session);
    for (Index key = 0; key < 6; ++key) {
        CHECK(weightsOfHead(nothing)(2, key) == 0);
        CHECK(weightsOfHead(alike)(2, key) == doctest::Approx(1.0 / 6));
    }
}

TEST_CASE("sentence: without the turn in W_Q the two banks are nearly the same again") {
    const TracePointer before = traceOf(stepOf("sentence", "Each token finds the one before it"));
    const TracePointer trace = traceOf(stepOf("sentence", "Take the turn out of the queries"));
    CHECK(weightsOfHead(before)(4, 3) > 0.5f);
    for (Index key = 0; key < 11; ++key)
        CHECK(std::abs(weightsOfHead(trace)(4, key) - weightsOfHead(trace)(9, key)) < 0.01f);
    CHECK(weightsOfHead(trace)(4, 9) > weightsOfHead(trace)(4, 3));
    CHECK(weightsOfHead(trace)(4, 3) == doctest::Approx(weightsOfHead(trace)(4, 8)).epsilon(0.03));
}
