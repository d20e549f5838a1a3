#include "core/formats/session/data/selection_patch.h"
#include "support.h"
#include "tests/support/forward.h"

using namespace headlight::core;
using namespace headlight::core::test;
using headlight::test::forward;

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
    // A step shares the base's parameter if it does not set it.
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

TEST_CASE("every tab can be a step's view") {
    for (const char *view : {"flow", "heads", "similarity", "geometry", "output", "words"}) {
        Json json = smallSession();
        json["view"]["view"] = view;
        CHECK(read(json.dump()).view.view == view);
    }
    Json json = smallSession();
    json["view"]["view"] = "heatmap"; // only valid on the command line
    CHECK_FALSE(read(json.dump()).view.view);
    CHECK(read(json.dump()).warnings.size() == 1);
}

TEST_CASE("steps that are not there") {
    Session session = read(smallSession().dump());
    CHECK_FALSE(atStep(session, -1));
    CHECK(atStep(session, 1).error().where == "lesson.steps");
    session.lesson.reset();
    CHECK_FALSE(atStep(session, 0));
}

TEST_CASE("another text keeps the least length and the masks") {
    const Session session = read(smallSession().dump());
    const auto changed = withText(session, "One");
    REQUIRE(changed);
    CHECK(changed->input.batch->length() == 3);
    CHECK((*changed->input.batch)[0].length == 1);
    CHECK(changed->input.masks == session.input.masks);
    CHECK(forward(changed->model, changed->input));
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
