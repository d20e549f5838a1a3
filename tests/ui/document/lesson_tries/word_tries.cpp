#include "tests/support/opened.h"
#include "tests/ui/document/lesson_tries/try.h"
#include "ui/document/edits/vector_edits.h"
#include "ui/document/new_session.h"

namespace headlight::test {

using core::Stage;
using ui::Document;

std::vector<Try> triesOfWordsAndVectors() {
    return {
        Try("words", 5, "a kitten a little different", embedding(0, {{1, 2, 0.5f}}),
            {"cat and kitten now have a cosine"}),
        Try("words", 5, "another kitten", embedding(0, {{1, 0, -3}}), {"no longer closer"},
            {"cat and kitten now have"}),
        Try("bank", 1, "look at K and V", nothing, {"W_K is the identity"}),
        Try("bank", 3, "no scaling", scaled(core::Scale::Kind::Off), {"4.95 becomes 4.95"},
            {"The order of the two stays the same"}),
        Try("bank", 4, "causal mask", masked({core::CausalMask{}}), {"money gets 0.80"}),
        Try("bank", 7, "a phrase with bank", typed("the bank opens early"), {"in the second"}),
        Try("bank", 7, "a phrase without bank", typed("no such word"), {"static"}),
        Try("bank", 7, "the same phrase twice", typed("money bank"), {},
            {"After it there are two"}),
        Try("bank", 8, "−1 in W_Q", numbers(core::ParameterKind::Query, {{0, 0, -1.0f}}),
            {"Right now money gets 0.19"}),
        Try("bank", 9, "another score", edited([](const Document &document) {
                return ui::edits::setScores(document.state(), {{0, 0, 0, 1, 0, 3.0f}});
            }),
            {"is 3.00 now"}, {"a small triangle"}),
        Try("bank", 9, "the computed score", edited([](const Document &document) {
                return ui::edits::removeScores(document.state(), {{0, 0, 0, 1, 0, 0.0f}});
            }),
            {"money gets 0.80 now"}, {"a small triangle", "less than bank itself"}),
        Try("bank", 10, "the key of money elsewhere", edited([](const Document &document) {
                return ui::edits::moveVector(document.state(), *document.trace(),
                                             {{}, Stage::Key, 0}, {1, 2});
            }),
            {"it gives the score"}),
        Try("bank", 11, "gravity", nothing, {"pull"}),
        Try("query-key-value", 1, "the next number, the next word",
            inTurn({selected([](core::Selection &at) { at.dimension = 1; }),
                    selected([](core::Selection &at) { at.query = 2; })}),
            {"The first number for drinks"}, {}, holds("query 0 0 milk 1 = 2")),
        Try("query-key-value", 4, "another W_V",
            numbers(core::ParameterKind::Value, {{0, 1, 1.5f}}), {"W_V is different now"},
            {"in reverse order"},
            unchanged({Stage::Query, Stage::Key, Stage::Scores, Stage::AttentionWeights})),
        Try("query-key-value", 4, "a row of W_V that cat does not use",
            numbers(core::ParameterKind::Value, {{1, 1, -1}}), {}, {},
            unchanged({Stage::Query, Stage::Key, Stage::Scores, Stage::AttentionWeights})),
        Try("query-key-value", 4, "another W_K", numbers(core::ParameterKind::Key, {{0, 0, -1}}),
            {}, {}, unchanged({Stage::Query, Stage::Value})),
        Try("query-key-value", 4, "a row of W_K that cat does not use",
            numbers(core::ParameterKind::Key, {{2, 0, 3}}), {}, {},
            unchanged({Stage::Query, Stage::Value})),
        Try("query-key-value", 9, "a new session", nothing, {}, {},
            [](const Document &after, const core::Trace &before) {
                ui::NewSession wanted = ui::usualSession(ui::NewKind::AttentionOnly);
                wanted.text = "cat drinks milk";
                core::Result<ui::OpenedSource> made = ui::makeSession(wanted);
                if (!made)
                    return false;
                Document random;
                random.open(*std::move(made));
                return settled(random) &&
                       std::ranges::all_of(std::array{Stage::Query, Stage::Key, Stage::Value,
                                                      Stage::Scores, Stage::AttentionWeights,
                                                      Stage::Context},
                                           [&](Stage stage) {
                                               return !random.trace()->stage(stage).isNull() &&
                                                      !before.stage(stage).isNull();
                                           }) &&
                       !after.isEdited();
            }),
    };
}

} // namespace headlight::test
