// Steps, views and states of a session: which overrides which, and which parts are stored in a
// file.
#include "core/checks/session_check.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "core_test.h"
#include "support.h"

TEST_CASE("a step is a patch on the lesson's base") {
    const Session base = read(smallSession().dump());
    const auto step = atStep(base, 0);
    REQUIRE(step);
    const Batch &batch = *step->input.batch;
    CHECK(batch.count() == 1);
    CHECK(textsOf(batch[0].tokens) == std::vector<std::string>{"d", "e", "f", "g"});
    CHECK(batch[0].text == "d e f g");
    CHECK(step->input.masks.empty());
    CHECK(step->model.config.positions == Positions::None);
    CHECK(step->model.config.scale == Scale{Scale::Kind::Off, 1});
    CHECK(step->model.config.temperature == 2);
    // The step does not set this parameter, so it shares the base's matrix.
    CHECK(step->model.parameters.main.layers[0].selfAttention.query ==
          base.model.parameters.main.layers[0].selfAttention.query);
    const Selection selection = step->view.applied({});
    CHECK(selection.sequence == 0); // the base's sequence does not exist in the step
    CHECK(selection.stage == Stage::Query);
    CHECK(selection.head == 0);
    CHECK_FALSE(selection.query);
    CHECK_FALSE(selection.key);
    CHECK(step->view.view == "heads");
}

TEST_CASE("steps that do not exist") {
    Session session = read(smallSession().dump());
    CHECK_FALSE(atStep(session, -1));
    CHECK(atStep(session, 1).error().where == "lesson.steps");
    session.lesson.reset();
    CHECK_FALSE(atStep(session, 0));
}

namespace {

/// Returns a lesson whose only step changes a text, a cell of a matrix and a switch, and whose
/// solution changes another cell. `now` changes the first cell again.
Session lessonOfPatches() {
    const auto cell = [](int row, double value) {
        Json change;
        change["parameter"] = "layers.0.self_attention.query";
        change["cells"] = Json::array({Json::array({row, 0, value})});
        return Json::array({change});
    };
    Json json = smallSession();
    json["headlight"] = 2;
    Json &step = json["lesson"]["steps"][0];
    step["set"].erase("words"); // steps that change vectors are patched again
    step["set"]["parameters"] = cell(0, 0.25);
    step["exercise"] =
        Json::parse(R"({"text": "x", "goals": [{"text": "x", "if": "{weights 0 0 0 0} > 2"}]})");
    step["exercise"]["solution"]["parameters"] = cell(1, 0.5);
    json["now"] = Json::object();
    json["now"]["set"]["parameters"] = cell(0, 0.75);
    return read(json.dump());
}

float firstQueryNumber(const Session &session) {
    return session.model.parameters.main.layers[0].selfAttention.query->toMatrix()->values()[0];
}

/// Checks that two states have equal content.
void compareStates(const Session &state, const Session &other) {
    CHECK(differenceOf(other, state.model, state.input) == StatePatch{});
    CHECK(textsOf((*state.input.batch)[0].tokens) == textsOf((*other.input.batch)[0].tokens));
    CHECK(state.view == other.view);
}

} // namespace

TEST_CASE("a step is the state that the reader has checked") {
    const Session session = lessonOfPatches();
    const auto isChecked = [&](const Result<Session> &state) {
        REQUIRE(state);
        const Computable *known = findChecked(session, state->model, state->input);
        CHECK(known);
        CHECK((state->computable && state->computable->isOf(state->model, state->input)));
    };
    isChecked(atStep(session, 0));
    isChecked(solved(session, 0));
    REQUIRE(session.now);
    CHECK(session.now->computable);
    // A state that is patched again has other matrices with the same numbers.
    Session forgetful = session;
    forgetful.checkedSteps.reset();
    const Session again = valueOf(atStep(forgetful, 0));
    CHECK_FALSE(findChecked(session, again.model, again.input));
    compareStates(valueOf(atStep(session, 0)), again);
    compareStates(valueOf(solved(session, 0)), valueOf(solved(forgetful, 0)));
}

TEST_CASE("an edited step or session is not the state that the reader has checked") {
    const Session session = lessonOfPatches();
    Session edited = session;
    edited.lesson->steps[0].set.temperature = 3;
    CHECK(atStep(edited, 0)->model.config.temperature == 3);
    CHECK(solved(edited, 0)->model.config.temperature == 3);
    edited = session;
    edited.lesson->steps[0].exercise->solution = {};
    CHECK(firstQueryNumber(valueOf(solved(edited, 0))) == 0.25f);
    edited = session;
    edited.model.parameters.main.layers[0].selfAttention.output = nullptr;
    CHECK_FALSE(atStep(edited, 0)->model.parameters.main.layers[0].selfAttention.output);
    edited = session;
    edited.view.head = 1;
    edited.lesson->steps[0].show.head.reset();
    CHECK(atStep(edited, 0)->view.head == 1);
    edited = session;
    edited.lesson->steps.insert(edited.lesson->steps.begin(), LessonStep{});
    CHECK(atStep(edited, 0)->model.config.temperature == session.model.config.temperature);
    CHECK(firstQueryNumber(valueOf(atStep(edited, 1))) == 0.25f);
}

TEST_CASE("another text keeps the least length and the masks") {
    const Session session = read(smallSession().dump());
    const auto changed = valueOf(withText(session, "One"));
    CHECK(changed.input.batch->length() == 3);
    CHECK((*changed.input.batch)[0].length == 1);
    CHECK(changed.input.masks == session.input.masks);
    CHECK(forward(changed.model, changed.input));
    CHECK_FALSE(withText(session, " "));
    CHECK_FALSE(withText(session, "\xff"));
}

TEST_CASE("a patch of the selection") {
    const Selection before{1, 2, 3, Stage::Scores, 4, 5, 6};
    CHECK(SelectionPatch{}.applied(before) == before);
    SelectionPatch patch;
    patch.head = 0;
    patch.key = 9;
    CHECK(patch.applied(before) == Selection{1, 2, 0, Stage::Scores, 4, 9, 6});
    patch.clearsCell = true;
    CHECK(patch.applied(before) ==
          Selection{1, 2, 0, Stage::Scores, std::nullopt, 9, std::nullopt});
    patch.opened = true;
    CHECK(patch.applied(before).opened);
    CHECK(merged({}, patch).opened == true);
    CHECK(merged(patch, {}).opened == true);
    SelectionPatch closing;
    closing.opened = false;
    CHECK(merged(patch, closing).opened == false);
    CHECK(patchOf(patch.applied(before)).opened == true);
}

TEST_CASE("the seed of `now` sets the file's random numbers") {
    const std::string seeded = with("/now/seed", 4);
    const std::string bare = without("/now");
    const auto keyOf = [](const Result<Session> &session) {
        return session->model.parameters.main.layers[0].selfAttention.key->toMatrix()->values();
    };
    CHECK(keyOf(readSession(seeded)) == keyOf(readSession(bare, 4)));
    CHECK(keyOf(readSession(seeded)) != keyOf(readSession(bare)));
    CHECK(keyOf(readSession(seeded, 9)) == keyOf(readSession(bare, 9)));
}

TEST_CASE("errors in `now` are reported together with errors in the base") {
    Json json = smallSession();
    json["now"]["set"]["temperature"] = -1;
    json["now"]["show"]["stage"] = "nothing";
    const auto has = [](const std::vector<Error> &problems, const std::string &where) {
        return std::any_of(problems.begin(), problems.end(),
                           [&](const Error &problem) { return problem.where == where; });
    };
    const auto alone = checkSession(json.dump());
    CHECK(alone.size() == 1); // an invalid view is only a warning
    json["title"] = 5;
    json["view"]["head"] = -7;
    const auto both = checkSession(json.dump());
    CHECK(both.size() == 2);
    for (const char *where : {"title", "now.set.temperature"})
        CHECK_MESSAGE(has(both, where), where);
    const auto warnings = inspectSession(json.dump()).warnings;
    REQUIRE(warnings.size() == 2);
    CHECK(warnings[0].where == "view.head");
    CHECK(warnings[1].where == "now.show.stage");
    // A missing or broken part of the base gives an error, even if `now` is present.
    for (const char *part : {"model", "batch", "lesson", "masks", "view"}) {
        Json without = json;
        without.erase(part);
        CHECK_FALSE(checkSession(without.dump()).empty());
        Json broken = json;
        broken[part] = 3;
        CHECK_FALSE(checkSession(broken.dump()).empty());
    }
}

TEST_CASE("check computes the user's saved state") {
    Json json = smallSession();
    json["now"]["set"]["parameters"] = Json::parse(
        R"([{"parameter": "layers.0.self_attention.query", "matrix": {"identity": 1e38}},
            {"parameter": "layers.0.self_attention.key", "matrix": {"identity": 1e38}}])");
    CHECK(readSession(json.dump()));
    const auto problems = checkSession(json.dump());
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where.starts_with("now: "));
}

TEST_CASE("a step has its own softmax settings, and the user's are saved") {
    Json session = smallSession();
    session["headlight"] = 2;
    session["lesson"]["steps"][0]["show"]["softmax"] = {{"part", "spread"}, {"d_k", 16}};
    const Session lesson = read(session.dump());
    REQUIRE(lesson.lesson->steps[0].show.softmax);
    CHECK(lesson.lesson->steps[0].show.softmax->headSize == 16);
    SavedState now;
    now.show.softmax = SoftmaxLook();
    now.show.softmax->logits = {1, 2};
    const std::string written = writeSession(lesson, now);
    CHECK(read(written).now->show.softmax == now.show.softmax);
    CHECK(read(written).lesson->steps[0].show.softmax == lesson.lesson->steps[0].show.softmax);
    // The defaults are written explicitly, since the step's settings would apply otherwise.
    now.show.softmax = SoftmaxLook();
    CHECK(read(writeSession(lesson, now)).now->show.softmax == SoftmaxLook());
}

TEST_CASE("a question has the softmax settings of its step") {
    Json session = smallSession();
    session["headlight"] = 2;
    Json &step = session["lesson"]["steps"][0];
    step["question"] = Json::parse(R"({"text": "q", "answers": [{"text": "a", "if": "1 > 0"},
        {"text": "b", "if": "1 < 0"}], "show": {"view": "softmax"}})");
    CHECK(read(session.dump()).warnings.empty());
    step["question"]["show"]["softmax"] = {{"times", 100}, {"logits", {1, 2}}};
    const Session lesson = read(session.dump());
    REQUIRE(lesson.warnings.size() == 1);
    CHECK(lesson.warnings[0].where == "lesson.steps[0].question.show.softmax");
    CHECK(lesson.lesson->steps[0].question->show->view == "softmax");
    CHECK_FALSE(lesson.lesson->steps[0].question->show->softmax);
}

TEST_CASE("softmax settings are replaced as one, and are not part of a selection") {
    SelectionPatch base, over;
    base.softmax = SoftmaxLook();
    base.softmax->headSize = 16;
    CHECK(merged(base, over).softmax->headSize == 16);
    over.softmax = SoftmaxLook();
    CHECK(merged(base, over).softmax->headSize == 64);
    CHECK(base.applied({}) == Selection());
    CHECK_FALSE(patchOf({}).softmax);
}
