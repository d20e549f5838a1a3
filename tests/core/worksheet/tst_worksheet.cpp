// Steps of a lesson that a worksheet includes.
#include "../fixture.h"
#include "core/worksheet/worksheet.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

Selection at(Stage stage) {
    Selection selection;
    selection.stage = stage;
    return selection;
}

WorksheetStep step(Index number, const TracePointer &trace) {
    return {number, "Step", {}, {}, {}, trace};
}

Question asked() {
    return {"Which?",
            {{"the first", "weights 0 0 0 0 > weights 0 0 0 0"},
             {"the second", "weights 0 0 0 0 = weights 0 0 0 0"}},
            {}};
}

} // namespace

TEST_CASE("a step that shows what an earlier one asked for is left out") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank"}));
    Worksheet sheet;
    addStep(sheet, step(0, trace), at(Stage::Embeddings)); // nothing to work out
    addStep(sheet, step(1, trace), at(Stage::Query));
    addStep(sheet, step(2, trace), at(Stage::Query)); // the same
    addStep(sheet, step(3, trace), at(Stage::Key));
    addStep(sheet, step(4, trace), std::nullopt); // only a picture
    REQUIRE(sheet.steps.size() == 2);
    CHECK(sheet.steps[0].step == 1);
    CHECK(sheet.steps[1].step == 3);
    CHECK(sheet.leftOut.empty());

    // The same stage of another text is another task.
    addStep(sheet, step(5, traceOf(smallModel(), inputOf({"river bank"}))), at(Stage::Query));
    CHECK(sheet.steps.size() == 3);
}

TEST_CASE("a question is there without a task, and its right answer is the trace's") {
    const TracePointer trace = traceOf(smallModel(), inputOf({"money bank"}));
    Worksheet sheet;
    WorksheetStep one = step(0, trace);
    one.question = asked();
    addStep(sheet, one, std::nullopt);
    REQUIRE(sheet.steps.size() == 1);
    CHECK_FALSE(sheet.steps[0].task);
    CHECK(sheet.steps[0].right == std::size_t(1));
}

TEST_CASE("an exercise is there without a task") {
    Worksheet sheet;
    WorksheetStep one = step(3, traceOf(smallModel(), inputOf({"money bank"})));
    one.exercise = Exercise{"Let *bank* listen to itself.", {{"it does", "1 > 2"}}, {}, {}};
    addStep(sheet, one, std::nullopt);
    REQUIRE(sheet.steps.size() == 1);
    CHECK(sheet.steps[0].step == 3);
    CHECK(sheet.steps[0].exercise->goals.size() == 1);
}

TEST_CASE("what is too large is said") {
    const TracePointer trace = traceOf(
        smallModel(), inputOf({"one two three four five six seven eight nine ten eleven twelve "
                               "thirteen"}));
    Worksheet sheet;
    addStep(sheet, step(0, trace), at(Stage::AttentionWeights));
    CHECK(sheet.steps.empty());
    REQUIRE(sheet.leftOut.size() == 1);
    CHECK(sheet.leftOut[0].step == 0);
}

TEST_CASE("a session that is no lesson asks for the stages of an attention") {
    const TracePointer trace = traceOf(smallModel(2), inputOf({"money bank"}));
    Worksheet sheet;
    Selection selection = at(Stage::AttentionWeights);
    selection.layer = 1;
    addStages(sheet, trace, selection);
    std::vector<std::string> names;
    for (const WorksheetStep &one : sheet.steps)
        names.push_back(stageName(one.task->selection.stage, one.task->selection.attention()));
    CHECK(names.front() == "layers.1.self_attention.query");
    CHECK(std::ranges::count(names, "layers.1.self_attention.weights") == 1);
    CHECK(std::ranges::count(names, "layers.0.self_attention.weights") == 0);
}
