// The softmax view's settings in a session and in lesson steps: reading and writing.
// tst_field_tables tries their limits.
#include "core/formats/session/data/fields.h"
#include "core/formats/session/data/selection_patch.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "support.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

Json sessionShowing(const Json &softmax) {
    Json session = smallSession();
    session["headlight"] = 2;
    session["view"]["softmax"] = softmax;
    return session;
}

SoftmaxLook lookOf(const Json &softmax) {
    const Session session = read(sessionShowing(softmax).dump());
    CHECK(session.warnings.empty());
    REQUIRE(session.view.softmax);
    return *session.view.softmax;
}

} // namespace

TEST_CASE("everything that can be said of it is read") {
    SoftmaxLook look;
    CHECK(lookOf(Json::object()) == look);
    look.part = SoftmaxPart::Spread;
    look.logits = {0.1f, -0.9f, 1e-7f};
    look.times = 100;
    look.temperature = 0.5f;
    look.headSize = 1024;
    look.seed = 18446744073709551615u;
    CHECK(lookOf(Json::parse(R"({"part": "spread", "logits": [0.1, -0.9, 1e-7], "times": 100,
        "temperature": 0.5, "d_k": 1024, "seed": "18446744073709551615"})")) == look);
    // The written settings read back as the same.
    CHECK(lookOf(Json::parse(written(look))) == look);
    CHECK(written(SoftmaxLook()) == "{}");
}

TEST_CASE("a step has its own, and where a person was is kept") {
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

TEST_CASE("it is laid over as a whole, and is no part of a selection") {
    SelectionPatch base, over;
    base.softmax = SoftmaxLook();
    base.softmax->headSize = 16;
    CHECK(merged(base, over).softmax->headSize == 16);
    over.softmax = SoftmaxLook();
    CHECK(merged(base, over).softmax->headSize == 64);
    CHECK(base.applied({}) == Selection());
    CHECK_FALSE(patchOf({}).softmax);
}

TEST_CASE("the first version of the format does not know it") {
    SelectionPatch patch;
    CHECK(formatVersionOf(patch) == 1);
    patch.softmax = SoftmaxLook();
    CHECK(formatVersionOf(patch) == 2);
    SelectionPatch tab;
    tab.view = "softmax";
    CHECK(formatVersionOf(tab) == 2);
}
