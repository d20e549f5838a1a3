#include "core/analysis/softmax_spread.h"
#include "tests/ui/document/lesson_tries/try.h"
#include "ui/document/edits/softmax_edits.h"
#include "ui/document/edits/vector_edits.h"
#include "ui/document/step_view.h"

namespace headlight::test {

using core::Stage;
using ui::Document;

namespace {

Act temperature(float to) {
    return edited(
        [to](const Document &document) { return ui::edits::setTemperature(document.state(), to); });
}

Act headSize(core::Index size) {
    return edited([size](const Document &document) {
        return ui::edits::setDrawnHeadSize(document.state(), size);
    });
}

/// Sets the value of the third token.
Act value(std::vector<float> to) {
    return edited([to = std::move(to)](const Document &document) {
        return ui::edits::moveVector(document.state(), *document.trace(), {{}, Stage::Value, 2},
                                     to);
    });
}

/// True if row 1 and column 1 of the scores changed, and nothing else.
bool isOneToken(const Document &after, const core::Trace &before) {
    const core::SharedMatrix a = before.stage(Stage::Scores).matrix(0);
    const core::SharedMatrix b = after.trace()->stage(Stage::Scores).matrix(0);
    bool row = false, column = false;
    for (core::Index query = 0; query < a.rows; ++query)
        for (core::Index key = 0; key < a.columns; ++key)
            if (a(query, key) != b(query, key)) {
                row = row || query == 1;
                column = column || key == 1;
                if (query != 1 && key != 1)
                    return false;
            }
    return row && column;
}

/// True if column 1 of the values and contexts changed, and no other column.
bool isOneColumn(const Document &after, const core::Trace &before) {
    for (const Stage stage : {Stage::Value, Stage::Context}) {
        const core::SharedMatrix a = before.stage(stage).matrix(0);
        const core::SharedMatrix b = after.trace()->stage(stage).matrix(0);
        bool differs = false;
        for (core::Index row = 0; row < a.rows; ++row) {
            differs = differs || a(row, 1) != b(row, 1);
            if (a(row, 0) != b(row, 0))
                return false;
        }
        if (!differs)
            return false;
    }
    return true;
}

/// True if the context of the second token changed.
bool isMoved(const Document &after, const core::Trace &before) {
    const core::SharedMatrix a = before.stage(Stage::Context).matrix(0);
    const core::SharedMatrix b = after.trace()->stage(Stage::Context).matrix(0);
    return !std::ranges::equal(a.row(1), b.row(1));
}

} // namespace

std::vector<Try> triesOfScoresAndWeights() {
    return {
        Try("scores", 1, "the next cell, the next row",
            inTurn({selected([](core::Selection &at) { at.key = 3; }),
                    selected([](core::Selection &at) { at.query = 1; })}),
            {"4 queries and 4 keys"}, {},
            [](const Document &after, const core::Trace &) {
                return ui::lookOfStep(after.session(), 1).granularity == core::Granularity::Cell;
            }),
        Try("scores", 7, "another sing", embedding(0, {{1, 0, -2}, {1, 1, 0.5f}}), {}, {},
            isOneToken),
        Try("scores", 7, "nearly the same sing", embedding(0, {{1, 0, 1.1f}}), {}, {}, isOneToken),
        Try("scaling", 1, "d_k 16 and 1024", inTurn({headSize(16), headSize(1024)}),
            {"32 for 1024"}, {},
            [](const Document &after, const core::Trace &) {
                const auto of = [](core::Index size) {
                    return core::softmaxSpread(size, 1)->plain.medianNorm;
                };
                return after.state().softmax.part == core::SoftmaxPart::Spread && of(16) > 0.1 &&
                       of(1024) < core::kVanished;
            }),
        Try("scaling", 6, "with it", scaled(core::Scale::Kind::SquareRoot), {"boat gets 0.5"},
            {"as sure as can be"},
            holds("weights 0 0 sails boat > 0.5 & weights 0 0 sails boat < 0.6")),
        Try("scaling", 6, "with it, and without",
            inTurn({scaled(core::Scale::Kind::SquareRoot), scaled(core::Scale::Kind::Off),
                    selected([](core::Selection &at) { at.query = 4; })}),
            {"as sure as can be"}),
        Try("softmax", 4, "0.1", temperature(0.1f), {}, {"twice as large", "temperature of 0.5"},
            holds("weights 0 0 day sunny > 0.99")),
        Try("softmax", 4, "10", inTurn({temperature(0.1f), temperature(10)}), {},
            {"twice as large", "temperature of 0.5"},
            holds("weights 0 0 day sunny < 0.3 & weights 0 0 day one > 0.2")),
        Try("softmax", 8, "a number of W_V", numbers(core::ParameterKind::Value, {{0, 1, 3}}), {},
            {}, both(unchanged({Stage::AttentionWeights}), isOneColumn)),
        Try("softmax", 8, "the last row of W_V",
            numbers(core::ParameterKind::Value, {{3, 1, -2.5f}}), {}, {},
            both(unchanged({Stage::AttentionWeights}), isOneColumn)),
        Try("gravity", 1, "G, and sequences together", nothing, {"near orange"}, {},
            holds("context 0 0 apple 0 > context 0 0 apple 1 & context 1 0 apple 1 > context 1 0 "
                  "apple 0")),
        Try("gravity", 4, "the value of orange elsewhere", value({1, 3}),
            {"Each value is an arrow"}, {},
            both(unchanged({Stage::Query, Stage::Key, Stage::AttentionWeights}), isMoved)),
        Try("gravity", 4, "the value of orange far away", value({-4, -4}),
            {"Each value is an arrow"}, {},
            both(unchanged({Stage::Query, Stage::Key, Stage::AttentionWeights}), isMoved)),
    };
}

} // namespace headlight::test
