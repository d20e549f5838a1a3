// A written lesson reads back as the same lesson, and unchanged parts keep their original text.
#include "core/checks/session_check.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "core/lesson/cell_mark.h"
#include "core/lesson/step_number.h"
#include "core/selection/selected.h"
#include "core_test.h"
#include "schema_samples.h"
#include "support.h"

namespace {

/// Returns the parsed document, with its keys in sorted order.
nlohmann::json seen(const std::string &json) {
    return nlohmann::json::parse(json);
}

/// Checks that each text, number and state is the same in both lessons.
void checkSame(const Lesson &a, const Lesson &b) {
    CHECK(a.summary == b.summary);
    CHECK(a.minutes == b.minutes);
    CHECK(a.needs == b.needs);
    CHECK(a.aim == b.aim);
    CHECK(a.difficulties == b.difficulties);
    REQUIRE(a.steps.size() == b.steps.size());
    // Batches and matrices are different objects, so their written forms are compared.
    const auto unite = [](const StatePatch &x, StatePatch &y) {
        CHECK(jsonObject(membersOf(x)) == jsonObject(membersOf(y)));
        y = x;
    };
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
        CAPTURE(i);
        const LessonStep &x = a.steps[i];
        LessonStep y = b.steps[i];
        unite(x.set, y.set);
        if (x.exercise && y.exercise)
            unite(x.exercise->solution, y.exercise->solution);
        y.documentStep = x.documentStep;
        CHECK(x == y);
    }
}

/// Returns the lesson written from scratch, without the old text.
Session rewritten(const Session &session) {
    Session bare = session;
    bare.lesson.reset();
    bare.json = spliced(session.json, {{"lesson", ""}});
    return read(withLesson(bare, session.title, *session.lesson));
}

/// Returns a lesson that uses every feature.
Json everything() {
    Json document = Json::parse(lessonFile("bank"));
    document["lesson"]["minutes"] = 12;
    document["lesson"]["needs"] = Json::array({"words", "a b"});
    document["lesson"]["steps"][0].update(Json::parse(R"({
        "mistake": "That *weights* are “importance”.\n\"no\"",
        "panels": {"inspector": true, "history": false, "formula": true},
        "show": {"view": "geometry", "query": null, "axes": "dot_product", "spaces": "query_key", "writing": "tf_idf",
                 "granularity": "cell", "arithmetic": "opened"},
        "set": {"text": "bank money bank", "scale": "off", "temperature": 0.1,
                "mask_after_softmax": true, "mask_value": -1000,
                "words": {"bank": [0.1, 1e-30]},
                "parameters": [{"parameter": "layers.0.self_attention.query",
                                "cells": [[0, 1, 0.3]]},
                               {"parameter": "layers.0.self_attention.key",
                                "matrix": {"identity": 2}}]},
        "question": {"text": "Which?", "show": {},
                     "answers": [{"text": "a", "if": "1 < 2"}, {"text": "b", "if": "2 < 1"}]},
        "exercise": {"text": "Do it.", "goals": [{"text": "g", "if": "1 < 2"}],
                     "hints": ["h", "i"], "by_hand": true,
                     "solution": {"interventions": {"heads":
                         [{"layer": 0, "head": 0, "state": "zero"}]}}},
        "run": {"recipe": {"task": "copy", "steps": 70, "seed": 9007199254740991},
                "race": "no-scale"}})"));
    return document;
}

} // namespace

TEST_CASE("every lesson is read again as it was written") {
    std::size_t lessons = 0;
    for (const std::string &id : lessonIds()) {
        CAPTURE(id);
        const Session session = read(lessonFile(id));
        checkSame(*rewritten(session).lesson, *session.lesson);
        ++lessons;
    }
    CHECK(lessons >= 5);
    const Session session = read(everything().dump());
    checkSame(*rewritten(session).lesson, *session.lesson);
}

TEST_CASE("a lesson of every field of the schema is read again as it was written") {
    const SchemaSamples samples(Json::parse(contentOf(HEADLIGHT_DOCS "/session-file.schema.json")));
    std::size_t tried = 0;
    for (const SchemaSamples::Field &field : samples.fields()) {
        if (field.place.to_string().rfind("/lesson", 0) != 0)
            continue;
        for (const Json &value : field.values) {
            const auto session =
                readSession(SchemaSamples::with(everything(), field.place, value).dump());
            if (!session || !session->lesson)
                continue; // e.g. an index that this model does not have
            CAPTURE(field.place.to_string() + " " + value.dump());
            checkSame(*rewritten(*session).lesson, *session->lesson);
            ++tried;
        }
    }
    CHECK(tried > 50);
}

TEST_CASE("an unchanged lesson is its document, byte for byte") {
    for (const std::string &path : sessionFiles()) {
        CAPTURE(path);
        const std::string json = contentOf(path);
        const auto session =
            valueOf(readSession(json, {}, {}, std::filesystem::path(path).parent_path()));
        if (session.lesson)
            CHECK(withLesson(session, session.title, *session.lesson) == json);
    }
}

TEST_CASE("fields that this version does not know stay with their step") {
    Json document = everything();
    document["lesson"]["level"] =
        "second year"; // inserted first, since it invalidates references to its siblings
    Json &steps = document["lesson"]["steps"];
    steps[0]["seen_by"] = Json::parse(R"(["Ada"])");
    steps[0]["question"]["answers"][1]["points"] = 3;
    steps[1]["show"]["camera"] = 7;
    const Session session = read(document.dump(2));
    Lesson lesson = *session.lesson;
    std::swap(lesson.steps[0], lesson.steps[1]);
    lesson.steps[1].title = "Another title";
    lesson.steps[1].question->answers[1].text = "another answer";
    lesson.steps.insert(lesson.steps.begin(), LessonStep{"New", {"text"}, "", {}, {}, {}});
    lesson.steps.push_back(lesson.steps[1]); // a copied step
    lesson.summary = "Another summary";
    const std::string written = withLesson(session, "Another lesson", lesson);
    checkSame(*read(written).lesson, lesson);
    const nlohmann::json now = seen(written);
    CHECK(now["title"] == "Another lesson");
    CHECK(now["lesson"]["level"] == "second year");
    CHECK(now["lesson"]["summary"] == "Another summary");
    CHECK_FALSE(now["lesson"]["steps"][0].contains("seen_by"));
    CHECK(now["lesson"]["steps"][1]["show"]["camera"] == 7);
    CHECK(now["lesson"]["steps"][2]["seen_by"][0] == "Ada");
    CHECK(now["lesson"]["steps"][2]["question"]["answers"][1]["points"] == 3);
    CHECK(now["lesson"]["steps"][2]["set"]["parameters"][1]["matrix"]["identity"] ==
          2); // in the original notation
    CHECK(now["lesson"]["steps"].back()["show"]["camera"] == 7);
    CHECK(now["model"] == seen(document.dump())["model"]);
}

TEST_CASE("an implied field is written if the field that implied it has changed") {
    Json document = Json::parse(lessonFile("bank"));
    document["lesson"]["steps"][0]["show"] = Json::parse(R"({"query": null})");
    const Session session = read(document.dump());
    Lesson lesson = *session.lesson;
    lesson.steps[0].show.query = 1;
    checkSame(*read(withLesson(session, session.title, lesson)).lesson, lesson);
}

TEST_CASE("a first lesson, and the version that it needs") {
    Json document = Json::parse(lessonFile("bank"));
    document.erase("lesson");
    document["headlight"] = 1;
    const Session session = read(document.dump(2));
    Lesson lesson{"What it is", {LessonStep{"First", {"One."}, "", {}, {}, {}}}, 0, {}};
    Session written = read(withLesson(session, "Mine", lesson));
    CHECK(written.title == "Mine");
    CHECK(seen(written.json)["headlight"] == 1);
    lesson.steps[0].mistake = "No.";
    written = read(withLesson(session, "Mine", lesson));
    CHECK(seen(written.json)["headlight"] == 2);
    checkSame(*written.lesson, lesson);
    SavedState now;
    now.set.temperature = 0.5F;
    CHECK(seen(writeSession(written, now))["headlight"] == 2);
}

TEST_CASE("what no file can store is reported before writing") {
    const Lesson good = *read(everything().dump()).lesson;
    CHECK(checkSizes(good));
    const auto refused = [&good](auto change) {
        Lesson lesson = good;
        change(lesson);
        const Outcome outcome = checkSizes(lesson);
        return outcome ? std::string("nothing") : outcome.error().where;
    };
    const std::string step = "lesson.steps[0].";
    CHECK(refused([](Lesson &l) { l.steps.clear(); }) == "lesson.steps");
    CHECK(refused([](Lesson &l) { l.minutes = 601; }) == "lesson.minutes");
    CHECK(refused([](Lesson &l) {
              l.steps[0].question->answers[1].condition = std::string(1025, '1');
          }) == step + "question.answers[1].if");
}

TEST_CASE("a selected number has a mark that is read as that number") {
    std::size_t marks = 0;
    for (const std::string &path : sessionFiles()) {
        const auto session =
            readSession(contentOf(path), {}, {}, std::filesystem::path(path).parent_path());
        REQUIRE(session);
        if (session->capture)
            continue;
        const auto trace = valueOf(forward(session->model, session->input));
        for (const std::string &name : trace->names()) {
            const auto at = findStageAnywhere(name);
            if (!at)
                continue;
            Selection selection;
            selection.stage = at->stage;
            selection.setAttention(at->attention);
            selection.sequence = trace->batch().count() - 1;
            selection.head = trace->model().headsOf(at->attention) - 1;
            const MatrixSize size = sizeAt(*trace, selection);
            for (Index row = 0; row < size.rows; ++row) {
                selection.query = selection.key = row;
                selection.dimension = size.columns - 1;
                selection.distance = infoOf(at->stage).rowsAreDistances() ? row : size.columns - 1;
                if (infoOf(at->stage).overKeys())
                    selection.key = size.columns - 1;
                const auto value = valueAt(*trace, selection);
                REQUIRE(value);
                const std::string mark = cellMark(selection, *trace);
                CAPTURE(path + ": " + name + ": " + mark);
                const auto number = valueOf(numberOf(mark, *trace));
                CHECK((number.value == *value || (number.value != number.value)));
                ++marks;
            }
        }
    }
    CHECK(marks > 500);
}

TEST_CASE("the example of docs/writing-lessons.md has no errors") {
    const std::string text = contentOf(HEADLIGHT_DOCS "/writing-lessons.md");
    const std::string fence = "```json\n";
    const std::size_t begin = text.find(fence) + fence.size();
    const std::string example = text.substr(begin, text.find("```", begin) - begin);
    const Findings findings = inspectSession(example);
    for (const Error &problem : findings.problems)
        FAIL_CHECK(problem.text());
    CHECK(findings.warnings.empty());
    const Session session = read(example);
    REQUIRE(session.lesson);
    CHECK(session.lesson->steps.size() == 3);
    CHECK(session.lesson->steps[1].question);
    CHECK(session.lesson->steps[2].exercise);
}
