// Unknown fields and views that do not exist: a warning with the nearest known name, and the
// session is read.
#include "core/checks/session_check.h"
#include "core/formats/session/writing/writer.h"
#include "core_test.h"
#include "support.h"

namespace {

std::vector<Warning> warningsOf(const std::string &json) {
    return read(json).warnings;
}

} // namespace

TEST_CASE("unknown fields are problems of check in the model, and warnings elsewhere") {
    const Findings model = inspectSession(with("/model/temprature", 2));
    REQUIRE(model.problems.size() == 1);
    CHECK(model.problems[0].where == "model.temprature");
    CHECK(model.problems[0].remedy.text().find("temperature") != std::string::npos);
    CHECK(model.warnings.empty());
    CHECK(readSession(with("/model/temprature", 2)));
    const Findings top = inspectSession(with("/mask", 2));
    CHECK(top.problems.empty());
    REQUIRE(top.warnings.size() == 1);
    CHECK(top.warnings[0].where == "mask");
    // Fields that are not read because of a problem are not reported as unknown.
    CHECK(inspectSession(without("/model/width")).warnings.empty());
}

TEST_CASE("at most a thousand unknown fields are counted") {
    Json json = smallSession();
    for (int i = 0; i < 2000; ++i)
        json["unknown" + std::to_string(i)] = i;
    CHECK(warningsOf(json.dump()).size() == 1000);
}

TEST_CASE("a view that does not exist is left out") {
    const Session session = read(with("/view/query", 7));
    CHECK_FALSE(session.view.query);
    CHECK(session.view.key == 1);
    REQUIRE(session.warnings.size() == 1);
    CHECK(session.warnings[0].where == "view.query");
    CHECK(session.warnings[0].text().find("out of range") != std::string::npos);

    const Session all = read(with("/view", 5));
    CHECK(all.view == SelectionPatch());
    CHECK(all.warnings.size() == 1);
}

TEST_CASE("the encoder in view, with a token that the decoder does not have") {
    // The session's view or `now` sets the stack. In both cases, the token is the encoder's.
    Json json =
        Json::parse(contentOf(std::string(HEADLIGHT_SESSIONS) + "/encoder_decoder.headlight"));
    const Session plain = read(json.dump());
    REQUIRE(plain.model.hasEncoder());
    json["source"]["sequences"] = Json::array();
    for (Index i = 0; i < plain.input.source->count(); ++i) {
        Json tokens = Json::array();
        for (Index t = 0; t < plain.input.batch->length() + 3; ++t)
            tokens.push_back((*plain.input.source)[0].tokens[0].text);
        json["source"]["sequences"].push_back({{"tokens", tokens}});
    }
    json.erase("lesson");
    json.erase("now");
    json.erase("view");
    const Index beyond = plain.input.batch->length() + 1;
    Json byView = json, byNow = json, wrong = json;
    byView["view"] = {{"stack", "encoder"}};
    byView["now"]["show"] = {{"query", beyond}, {"key", beyond}};
    byNow["now"]["show"] = {{"stack", "encoder"}, {"query", beyond}, {"key", beyond}};
    wrong["now"]["show"] = {{"query", beyond}, {"key", beyond}};
    for (const Json &good : {byView, byNow}) {
        const Session session = read(good.dump());
        CHECK(session.warnings.empty());
        CHECK(session.now->show.query == beyond);
    }
    const Session fitted = read(wrong.dump());
    CHECK(fitted.warnings.size() == 2);
    CHECK_FALSE(fitted.now->show.query);
}
