// Changes that a lesson's step and `now` apply to the base.
#include "core/checks/session_check.h"
#include "support.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("a step and now set everything that a state has") {
    const Session session = read(smallSession().dump());
    CHECK(session.model.config.masking.value == -1e9f);
    CHECK(session.input.interventions.stateOf(0, 1) == HeadState::Mean);
    CHECK(session.input.interventions.scoreAt(0, 0, 1, 1, 0) == 1.25f);
    CHECK(session.input.masks[4] == MaskLayer(PrefixMask{1}));
    CHECK(session.input.masks[5] == MaskLayer(BlockMask{2}));
    CHECK(session.input.masks[6] == MaskLayer(DiagonalMask{}));

    const Session step = *atStep(session, 0);
    CHECK(step.model.config.masking == MaskOptions{-1e4f, false});
    CHECK(step.input.interventions.stateOf(0, 1) == HeadState::Uniform);
    CHECK(step.input.interventions.stateOf(0, 0) == HeadState::On);
    const ParameterMatrix &key = *step.model.parameters.main.layers[0].selfAttention.key;
    CHECK(key(0, 0) == 2);
    CHECK(key(0, 1) == 0.5f);
    CHECK(key(1, 0) == -1);
    CHECK(step.model.embeddings->vectorOf("D") == std::vector<float>{1, 2});

    REQUIRE(session.now);
    CHECK_FALSE(session.now->seed);
    const Session now = *patched(step, session.now->set);
    CHECK(now.input.batch->count() == 2);
    CHECK((*now.input.batch)[0].text == "a b c");
    CHECK((*now.input.batch)[1].embeddings->toMatrix()->values()[5] == 6);
    CHECK(now.model.config.masking == MaskOptions{MaskOptions().value, true});
    CHECK(now.model.config.temperature == 0.5f);
    CHECK(now.input.interventions.scoreAt(1, 0, 1, 2, 0) == -2.5f);
    CHECK((*now.model.parameters.main.layers[0].selfAttention.query)(1, 1) == 0.25f);
    CHECK((*now.model.parameters.main.layers[0].selfAttention.query)(0, 0) == 1);
    CHECK_FALSE(now.model.parameters.main.layers[0].selfAttention.valueBias);
    CHECK((*now.model.parameters.main.layers[0].selfAttention.key)(0, 0) == 2); // from the step
    CHECK(session.now->show.stage == Stage::Scores);
    CHECK(session.now->show.clearsCell);
    CHECK(session.now->show.query == 2);
}

TEST_CASE("the seed of now is that of the file's random numbers") {
    const std::string seeded = with("/now/seed", 4);
    const std::string bare = without("/now");
    const auto keyOf = [](const Result<Session> &session) {
        return session->model.parameters.main.layers[0].selfAttention.key->toMatrix()->values();
    };
    CHECK(keyOf(readSession(seeded)) == keyOf(readSession(bare, 4)));
    CHECK(keyOf(readSession(seeded)) != keyOf(readSession(bare)));
    CHECK(keyOf(readSession(seeded, 9)) == keyOf(readSession(bare, 9)));
}

TEST_CASE("what is wrong with now is said beside what is wrong with the base") {
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
    // A missing or broken part of the base gives an error, with `now` present too.
    for (const char *part : {"model", "batch", "lesson", "masks", "view"}) {
        Json without = json;
        without.erase(part);
        CHECK_FALSE(checkSession(without.dump()).empty());
        Json broken = json;
        broken[part] = 3;
        CHECK_FALSE(checkSession(broken.dump()).empty());
    }
}

TEST_CASE("check computes the session as it was left") {
    Json json = smallSession();
    json["now"]["set"]["parameters"] = Json::parse(
        R"([{"parameter": "layers.0.self_attention.query", "matrix": {"identity": 1e38}},
            {"parameter": "layers.0.self_attention.key", "matrix": {"identity": 1e38}}])");
    CHECK(readSession(json.dump()));
    const auto problems = checkSession(json.dump());
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where.starts_with("now: "));
}
