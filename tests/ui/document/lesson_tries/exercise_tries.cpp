#include "core/lesson/question.h"
#include "core/tensor/presets.h"
#include "tests/ui/document/lesson_tries/try.h"

namespace headlight::test {

using core::ParameterKind;
using ui::Document;

namespace {

/// Returns an action of the editor's Presets menu.
Act preset(ParameterKind which, core::Matrix (*make)(core::Index rows, core::Index columns)) {
    return edited([which, make](const Document &document) {
        const ui::MatrixId id = matrixOf(which);
        const core::ParameterBlock now = ui::numbersOf(document.state(), id).view;
        return ui::edits::setMatrix(document.state(), id, make(now.rows, now.columns), "preset");
    });
}

core::Matrix zeros(core::Index rows, core::Index columns) {
    return {rows, columns};
}

Promise reaches(std::vector<bool> goals) {
    return [goals = std::move(goals)](const Document &after, const core::Trace &) {
        const core::Exercise &exercise = *after.lessonStep()->exercise;
        const ui::DocumentState base = ui::baseAt(after.session(), after.state().lessonStep);
        const core::ExerciseProgress solving =
            core::solvingOf(exercise, *after.trace(), base.input.interventions);
        return solving.reached == goals && !solving.isByHand;
    };
}

} // namespace

std::vector<Try> triesOfHints() {
    const std::vector<bool> two{true, true}, three{true, true, true};
    return {
        Try("exercises", 0, "A query of zeros has the score 0 with every key.",
            numbers(ParameterKind::Query, {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {3, 3, 0}}), {}, {},
            reaches(two)),
        Try("exercises", 0, "*Presets*, below the numbers, has *Zero*.",
            preset(ParameterKind::Query, zeros), {}, {}, reaches(two)),
        Try("exercises", 0, "*Presets*, below the numbers, has *Zero*.",
            preset(ParameterKind::Key, zeros), {}, {}, reaches(two)),
        Try("exercises", 2, "W_Q: 10 in row 2, column 1.",
            numbers(ParameterKind::Query, {{2, 1, 10}}), {"mean receives 4.99"}, {},
            reaches(three)),
        Try("exercises", 2, "W_Q: 10 in row 2, column 1.",
            numbers(ParameterKind::Query, {{2, 1, 100}}), {"mean receives 5.00"}, {},
            reaches(three)),
        Try("exercises", 4,
            "Place 1 is (0, 1). Its query should point to the key of place 0, (1, 0). So row 5 of "
            "W_Q begins with a large number.",
            numbers(ParameterKind::Query, {{5, 0, 10}}), {}, {}, reaches({true, false, true})),
        Try("exercises", 4, "W_Q: 10 in row 5, column 0, and −10 in row 4, column 1.",
            numbers(ParameterKind::Query, {{5, 0, 10}, {4, 1, -10}}), {}, {}, reaches(three)),
        Try("exercises", 4, "W_Q: 10 in row 5, column 0, and −10 in row 4, column 1.",
            numbers(ParameterKind::Query, {{5, 0, 100}, {4, 1, -50}}), {}, {}, reaches(three)),
        Try("exercises", 6,
            "Dimension 0 goes to column 0, dimension 1 to column 1, and so on; the place is "
            "left out.",
            numbers(ParameterKind::Value, {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}}), {}, {},
            reaches(three)),
        Try("exercises", 6, "*Presets*, below the numbers, has *Identity*.",
            preset(ParameterKind::Value, core::identityMatrix), {}, {}, reaches(three)),
        Try("exercises", 7,
            "The query of *it* is row 2 of W_Q, the key of *animal* and *dog* row 0 of W_K. Both "
            "need "
            "a "
            "number in the same column.",
            inTurn({numbers(ParameterKind::Query, {{2, 3, 10}}),
                    numbers(ParameterKind::Key, {{0, 3, 10}})}),
            {"it gives animal 1.00"}, {}, reaches(three)),
        Try("exercises", 7, "W_K: 1 in row 0, column 0. W_Q: 20 in row 2, column 0.",
            inTurn({numbers(ParameterKind::Query, {{2, 0, 20}}),
                    numbers(ParameterKind::Key, {{0, 0, 1}})}),
            {"it gives animal 1.00"}, {}, reaches(three)),
    };
}

} // namespace headlight::test
