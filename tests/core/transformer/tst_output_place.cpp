// The output layer's numbers at one position are the same whether the trace stores them or computes
// them on demand.
#include "core/analysis/output_row_id.h"
#include "core/cancelled.h"
#include "core/formats/session/data/session.h"
#include "core_test.h"

namespace {

Session sessionOf(const std::string &name) {
    auto session = readSessionFile(HEADLIGHT_TEST_DATA "/sessions/" + name + ".headlight");
    REQUIRE(session.ok());
    return *std::move(session);
}

TracePointer traceOfSession(const Session &session, Detail detail = Detail::Everything) {
    const auto trace = forward(session.model, session.input, nullptr, {}, detail);
    REQUIRE(trace.ok());
    return *trace;
}

} // namespace

TEST_CASE("the computed row equals the row of the trace, to the last bit") {
    for (const char *name : {"gpt_neox", "gemma_2", "encoder_decoder", "encoder_postnorm"}) {
        CAPTURE(name);
        const Session session = sessionOf(name);
        const TracePointer whole = traceOfSession(session),
                           ends = traceOfSession(session, Detail::Ends);
        const TracePointer rows = traceOfSession(session, Detail::Rows);
        REQUIRE(hasOutput(*whole));
        for (Index sequence = 0; sequence < whole->batch().count(); ++sequence)
            for (Index row = 0; row < whole->batch()[sequence].length; ++row) {
                const OutputRowId place{sequence, row};
                CHECK(isOutputReady(*whole, place));
                const auto held = readOutput(*whole, place), made = readOutput(*ends, place);
                REQUIRE(held.ok());
                REQUIRE(made.ok());
                CHECK((*held)->logits == (*made)->logits);
                CHECK((*held)->probabilities == (*made)->probabilities);
                const auto alone = readOutput(*rows, place);
                REQUIRE(alone.ok());
                CHECK((*held)->logits == (*alone)->logits);
                CHECK((*held)->probabilities == (*alone)->probabilities);
                const auto matrix = whole->matrix(Stage::Logits, {}, sequence, 0);
                CHECK(std::ranges::equal(matrix.row(row), (*held)->logits));
            }
    }
}

TEST_CASE("a long trace computes the row on demand, and can be stopped") {
    const Session session = sessionOf("gpt_neox");
    const TracePointer ends = traceOfSession(session, Detail::Ends);
    CHECK_FALSE(isOutputReady(*ends, {0, 1}));
    std::stop_source stop;
    stop.request_stop();
    const auto row = readOutput(*ends, {0, 1}, stop.get_token());
    REQUIRE_FALSE(row.ok());
    CHECK(isCancelled(row.error()));
}

TEST_CASE("a classifier has one row per sequence, whose probabilities add up to one") {
    const Session session = sessionOf("encoder_prenorm");
    const TracePointer trace = traceOfSession(session);
    Selection selection;
    selection.sequence = 1;
    selection.query = 0;
    const OutputRowId place = outputPlaceOf(*trace, selection);
    CHECK(place == OutputRowId{1, 1});
    const auto row = readOutput(*trace, place);
    REQUIRE(row.ok());
    double sum = 0;
    for (const float probability : (*row)->probabilities)
        sum += double(probability);
    CHECK(std::abs(sum - 1) < 1e-6);
    const SharedMatrix logits = trace->matrix(Stage::ClassLogits, {}, 0, 0);
    CHECK(std::ranges::equal(logits.row(1), (*row)->logits));
}

TEST_CASE("the row is the selected token of the generated text, or the last one") {
    const Session session = sessionOf("encoder_decoder");
    const TracePointer trace = traceOfSession(session);
    const Index last = trace->batch()[0].length - 1;
    Selection selection;
    CHECK(outputPlaceOf(*trace, selection).row == last);
    selection.query = 1;
    selection.stack = Stack::Encoder; // a token of the other sequence
    CHECK(outputPlaceOf(*trace, selection).row == last);
    selection.stack = Stack::Decoder;
    CHECK(outputPlaceOf(*trace, selection).row == 1);
    selection.block = Block::CrossAttention;
    CHECK(outputPlaceOf(*trace, selection).row == 1);
    selection.query = 1000;
    CHECK(outputPlaceOf(*trace, selection).row == last);
    CHECK(predictedAt(session.model, {0, 1}) == 2);
    CHECK(rowAbout(session.model, 2) == 1);
}

TEST_CASE("with masked tokens, the row is the first of these") {
    const Session session = sessionOf("encoder_postnorm");
    const TracePointer trace = traceOfSession(session);
    const Index hidden = outputPlaceOf(*trace, {}).row;
    CHECK(trace->batch()[0][hidden].text == "[MASK]");
    CHECK(predictedAt(session.model, {0, hidden}) == hidden);
    CHECK(rowAbout(session.model, hidden) == hidden);
}
