// A written session reads back unchanged, with every edit that the user can make. Everything else
// in the file keeps its original text.
#include "core/formats/json/text.h"
#include "core/formats/session/data/fields.h"
#include "core/formats/session/writing/text.h"
#include "core/formats/session/writing/writer.h"
#include "core/transformer/model/parameter_table.h"
#include "core_test.h"
#include "random_transformers.h"
#include "support.h"
#include "tests/support/long.h"

namespace {

std::vector<std::pair<std::string, std::string>> said(const SavedState &state) {
    std::vector<std::pair<std::string, std::string>> all{
        {"step", std::to_string(state.step)},
        {"seed", state.seed ? std::to_string(*state.seed) : "none"}};
    for (const auto &members :
         {membersOf(state.set), writtenMembers(state.show), writtenMembers(state.birth)})
        for (const JsonMemberText &member : members)
            all.emplace_back(member.name, member.value);
    return all;
}

void checkSame(const BatchPointer &read, const BatchPointer &wanted) {
    CHECK(sameNumbers(read, wanted));
    CHECK((!read || read->length() == wanted->length()));
}

void checkSame(const Session &read, const Session &wanted) {
    CHECK(read.model.config == wanted.model.config);
    CHECK(read.input.masks == wanted.input.masks);
    CHECK(read.input.encoderMasks == wanted.input.encoderMasks);
    CHECK(read.input.crossMasks == wanted.input.crossMasks);
    CHECK(read.input.interventions == wanted.input.interventions);
    checkSame(read.input.batch, wanted.input.batch);
    checkSame(read.input.source, wanted.input.source);
    const std::vector<ParameterId> all = allParameters(wanted.model.parameters);
    REQUIRE(allParameters(read.model.parameters) == all);
    for (const ParameterId &id : all) {
        CAPTURE(nameOf(id));
        CHECK(sameNumbers(parameterOf(read.model.parameters, id),
                          parameterOf(wanted.model.parameters, id)));
    }
    for (const auto words : {&Model::vocabulary, &Model::sourceVocabulary}) {
        REQUIRE((read.model.*words == nullptr) == (wanted.model.*words == nullptr));
        CHECK((!(read.model.*words) || *(read.model.*words) == *(wanted.model.*words)));
    }
    for (const char *word : {"bank", "水", "new word", "money", "start"})
        if (!wanted.model.parameters.main.embeddings)
            CHECK(read.model.embeddings->vectorOf(word) == wanted.model.embeddings->vectorOf(word));
}

/// Returns the session with its `now` applied.
Session left(const Session &session) {
    const Session below = session.lesson ? *atStep(session, session.now->step) : session;
    auto state = patched(below, session.now->set);
    REQUIRE(state);
    return *std::move(state);
}

std::vector<std::string> allSessions() {
    std::vector<std::string> files{smallSession().dump(), smallSession().dump(2)};
    for (const std::string &path : sessionFiles())
        files.push_back(contentOf(path));
    return files;
}

constexpr const char *kHandMade = R"({ "headlight" :1,
 "batch":{"sequences":[{"text":"money bank"}]},
   "future": {"big": 12345678901234567890123, "exact": 1.10, "now": "not this one, \"}"},
 "n\u006fw"  : {"unknown": [1e0, {"set": {}}],
   "set": {"temperature": 2.0, "later": 3e00, "positions":"none"}, "show": { "head":0 , "zoom": 1.50 }},
 "model":{"width":2,"heads":1,"head_size":2,"layers":[{"self_attention":
   {"query":{"identity":1},"key":{"identity":1},"value":{"identity":1}}}]} }
)";

} // namespace

TEST_CASE("any state of any session: written, read, written again") {
    std::uint64_t seed = 1;
    for (const std::string &json : allSessions()) {
        const Session session = read(json);
        const std::string bare = writeSession(session, {});
        for (int round = 0; round < headlight::test::drawn(25, 5); ++round) {
            ++seed;
            CAPTURE(seed);
            RandomStates random(seed);
            const SavedState now = random.state(session);
            const std::string written = writeSession(session, now);
            CAPTURE(written);
            const Session again = read(written);
            if (written == bare)
                continue; // nothing changed
            REQUIRE(again.now);
            CHECK(said(*again.now) == said(now));
            Session wanted = read(writeSession(session, {.seed = now.seed}));
            wanted.now = now;
            checkSame(left(again), left(wanted));

            CHECK(writeSession(again, *again.now) == written);
            CHECK(writeSession(again, now) == written);
            CHECK(writeSession(again, {}) == bare); // all changes undone
            const SavedState other = random.state(session);
            const Session third = read(writeSession(again, other));
            CHECK(said(third.now.value_or(SavedState())) == said(other));
            CHECK(writeSession(read(writeSession(third, now)), {}) == bare);
        }
    }
}

TEST_CASE("unchanged parts keep their bytes") {
    const Session session = read(kHandMade);
    REQUIRE(session.now);
    CHECK(session.now->set.temperature == 2.0f);
    CHECK(writeSession(session, *session.now) == kHandMade);

    SavedState changed = *session.now;
    changed.set.positions = Positions::Sinusoidal;
    changed.show.head.reset();
    changed.show.query = 1;
    std::string expected = kHandMade;
    const auto replace = [&expected](const std::string &from, const std::string &to) {
        expected.replace(expected.find(from), from.size(), to);
    };
    replace(R"("positions":"none")", R"("positions":"sinusoidal")");
    replace(R"("head":0 , "zoom": 1.50)", R"("zoom": 1.50, "query": 1)");
    CHECK(writeSession(session, changed) == expected);
    CHECK(writeSession(read(expected), *session.now).find(R"("later": 3e00)") != std::string::npos);

    // All changes undone: only unknown fields remain.
    const std::string undone = writeSession(session, {});
    CHECK(undone.find(R"("n\u006fw"  : {"unknown": [1e0, {"set": {}}],)") != std::string::npos);
    CHECK(undone.find("temperature") == std::string::npos);
    CHECK(undone.find("\"later\": 3e00") != std::string::npos);
    CHECK(undone.find("12345678901234567890123") != std::string::npos);
    CHECK(read(undone).now);
}

TEST_CASE("version 2 is written only if version 1 cannot represent the session") {
    const auto versionOf = [](const std::string &json) {
        return Json::parse(json).at("headlight").get<int>();
    };
    const Session session = read(kHandMade);
    CHECK(formatVersionOf(session.model.config) == 1);
    CHECK(formatVersionOf(StatePatch()) == 1);
    SavedState state;
    state.set.temperature = 2;
    CHECK(versionOf(writeSession(session, state)) == 1);
    state.set.windows = std::vector<Index>{1};
    const std::string windowed = writeSession(session, state);
    CHECK(versionOf(windowed) == 2);
    CHECK(read(windowed).now->set.windows == state.set.windows);
    CHECK(versionOf(writeSession(session, {})) == 1);
    SavedState opened;
    opened.show.opened = true;
    const std::string shown = writeSession(session, opened);
    CHECK(versionOf(shown) == 2);
    CHECK(read(shown).now->show.opened == true);
    Config config;
    const std::vector<std::function<void(Config &)>> additions{
        [](Config &c) { c.scoreCap = {2}; },
        [](Config &c) { c.logitCap = {2}; },
        [](Config &c) { c.alibiSlopes = {1}; },
        [](Config &c) { c.windows = {1}; },
        [](Config &c) { c.norm.place = NormPosition::Output; },
        [](Config &c) { c.norm.place = NormPosition::BeforeAndOutput; },
        [](Config &c) { c.queryKeyNorm = QueryKeyNorm::PerHead; },
        [](Config &c) { c.parallel = true; },
        [](Config &c) { c.sharedNorm = true; },
        [](Config &c) { c.norm.skipsFirst = true; },
        [](Config &c) { c.valueSize = 3; },
        [](Config &c) { c.residualFactor = 0.5f; },
        [](Config &c) { c.embeddingFactor = 12; },
        [](Config &c) { c.logitDivisor = 8; },
        [](Config &c) {
            c.rotaryLayers = {1, 0};
        },
        [](Config &c) { c.localRotaryBase = 500; },
        [](Config &c) { c.queryTuning.strength = 0.1f; },
        [](Config &c) { c.queryTuning.length = 100; },
        [](Config &c) { c.chunkedWindows = true; },
        [](Config &c) { c.queryKeyNorm = QueryKeyNorm::Rotated; },
        [](Config &c) { c.rotary.longFactors = {1}; },
        [](Config &c) { c.encoder.heads = 3; },
        [](Config &c) { c.feedForward.activation = Activation::QuickGelu; },
        [](Config &c) { c.outputLayer.activation = Activation::SquaredRelu; },
        [](Config &c) { c.outputLayer.pooling = Pooling::Second; },
        [](Config &c) { c.outputLayer.kind = OutputLayerKind::Projection; },
    };
    for (const auto &add : additions) {
        Config with = config;
        add(with);
        CHECK(formatVersionOf(with) == 2);
    }
}

TEST_CASE("choices in the Model view are saved, and a session without them keeps its bytes") {
    const Session session = read(kHandMade);
    SavedState now = *session.now;
    now.modelView = {.pinned = {"1.0", "encoder.0.3"},
                     .measure = "previous",
                     .ofLoss = true,
                     .byMean = true,
                     .token = " cat"};
    const std::string json = writeSession(session, now);
    const Session again = read(json);
    CHECK(again.warnings.size() == session.warnings.size());
    CHECK(again.now->modelView == now.modelView);
    CHECK(Json::parse(json).at("headlight") == 2);
    CHECK(Json::parse(writeSession(again, *session.now)) == Json::parse(kHandMade));
    SavedState bare = now;
    bare.modelView = {};
    CHECK(writeSession(session, bare) == kHandMade); // the same bytes

    // A file with more heads than the view can pin is read without them.
    std::string bad = json;
    std::string many = "\"pinned\": [\"0.0\"";
    for (std::size_t i = 0; i < kMaxPinnedHeads; ++i)
        many += ",\"0.0\"";
    const std::size_t start = bad.find("\"pinned\"");
    REQUIRE(start != std::string::npos);
    bad.replace(start, bad.find(']', start) - start, many);
    const Session without = read(bad);
    CHECK(without.warnings.size() == session.warnings.size() + 1);
    CHECK(without.now->modelView.pinned.empty());
    CHECK(without.now->modelView.token == " cat");
}

TEST_CASE("the replay of a run is saved, and a session without it keeps its bytes") {
    const Session session = read(kHandMade);
    SavedState now = *session.now;
    now.birth = {.step = 120, .example = 2, .answer = 0, .questionExample = 1};
    const std::string json = writeSession(session, now);
    const Session again = read(json);
    CHECK(again.warnings.size() == session.warnings.size()); // none about the new fields
    CHECK(again.now->birth == now.birth);
    CHECK(Json::parse(json).at("headlight") == 2);
    // Without a replay, the file has neither its fields nor version 2.
    CHECK(Json::parse(writeSession(again, *session.now)) == Json::parse(kHandMade));
    SavedState bare = now;
    bare.birth = {};
    CHECK(writeSession(session, bare) == kHandMade); // the same bytes

    // A value that cannot be read is left out with a warning.
    std::string bad = json;
    bad.replace(bad.find("\"answer\": 0"), 11, "\"answer\": 3");
    const Session without = read(bad);
    CHECK(without.warnings.size() == session.warnings.size() + 1);
    CHECK(without.now->birth == BirthState{.step = 120, .example = 2, .questionExample = 1});
}

TEST_CASE("an unchanged session has no `now`") {
    for (const std::string &json : allSessions()) {
        const Session session = read(json);
        const std::string bare = writeSession(session, {});
        CHECK_FALSE(read(bare).now);
        CHECK((bare == json) == !session.now);
        CHECK(writeSession(session, session.now.value_or(SavedState())) == json);
    }
    CHECK(Json::parse(writeSession(read(smallSession().dump(1)), {})) ==
          Json::parse(without("/now")));
    const std::string with = R"({"now": {"step": 0}, "headlight": 1, )" +
                             without("/now").substr(std::string("{\"headlight\":1,").size());
    CHECK(writeSession(read(with), {}) == with); // an empty `now`, written by hand, is kept
    SavedState warm;
    warm.set.temperature = 3;
    const std::string written = writeSession(read(with), warm);
    CHECK(read(written).now->set.temperature == 3.0f);
    CHECK(written.starts_with(R"({"now": {"step": 0, "set": {"temperature": 3}}, "headlight": 1)"));
    CHECK(writeSession(read(written), {}).starts_with(R"({"headlight": 1, )"));
}

TEST_CASE("a new session is read as it was written") {
    std::uint64_t seed = 100;
    for (const std::string &json : allSessions())
        for (int round = 0; round < 10; ++round) {
            ++seed;
            CAPTURE(seed);
            RandomStates random(seed);
            Session session = read(json);
            session.now = random.state(session);
            Session wanted = left(session);
            if (round % 2 == 1) {
                Session other = *readSession(json, seed << 55); // a seed beyond 2⁵³
                other.now = session.now;
                wanted.model = left(other).model;
            }
            const std::string written = writeNewSession(
                {"Ein „Titel“ \"\\\n"}, wanted.model, wanted.input, session.minimumLength,
                session.now->show, session.sourceMinimumLength);
            CAPTURE(written);
            const Session again = read(written);
            CHECK(again.title == "Ein „Titel“ \"\\\n");
            CHECK(again.json == written);
            CHECK(said({.show = again.view}) == said({.show = session.now->show}));
            checkSame(again, wanted);
            CHECK(writeNewSession(again, again.model, again.input, again.minimumLength, again.view,
                                  again.sourceMinimumLength) == written);
        }
}

TEST_CASE("a transformer of any kind: written as new, changed, written again") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        if (!headlight::test::isTried(seed, 3))
            continue;
        CAPTURE(seed);
        RandomStates random(seed);
        const Session made = randomSession(seed, random);
        const auto good = valueOf(Computable::of(made.model, made.input));
        const std::string written = writeNewSession({}, made.model, made.input, made.minimumLength,
                                                    {}, made.sourceMinimumLength);
        CAPTURE(written);
        const Session again = read(written);
        checkSame(again, made);
        CHECK(writeNewSession({}, again.model, again.input, again.minimumLength, {},
                              again.sourceMinimumLength) == written);

        const SavedState now = random.state(again);
        const std::string changed = writeSession(again, now);
        CAPTURE(changed);
        const Session third = read(changed);
        REQUIRE(third.now);
        CHECK(said(*third.now) == said(now));
        const Session state = left(third);
        const Session base = read(writeSession(again, {.seed = now.seed}));
        Session direct = base;
        direct.now = now;
        checkSame(state, left(direct));
        CHECK(writeSession(third, {}) == written);

        // The window saves only the difference, and nothing is lost.
        const SavedState saved{0, differenceOf(base, state.model, state.input), {}, now.seed};
        const Session fourth = read(writeSession(again, saved));
        CHECK((fourth.now.has_value() || said(saved) == said(SavedState())));
        checkSame(fourth.now ? left(fourth) : fourth, state);
    }
}

TEST_CASE("a large matrix is written as base64, a small one as rows") {
    RandomStates random(3);
    const Parameter small = random.matrix(64, 64);
    const Parameter large = random.matrix(64, 65);
    CHECK(textOf(*small).starts_with("[["));
    CHECK(textOf(*large).starts_with("{\"base64\": \""));
    for (const Parameter &matrix : {small, large}) {
        Json json = smallSession();
        json.erase("lesson");
        json["view"] = Json::object();
        json["batch"] = {{"sequences", {{{"text", "a"}}}}, {"length", 64}};
        json["masks"] = Json::array();
        json.erase("interventions");
        json.erase("now");
        json["model"]["width"] = matrix->columns();
        json["model"]["embeddings"] = Json::object();
        json["model"]["layers"] = {{{"self_attention",
                                     {{"query", {{"identity", 1}}},
                                      {"key", {{"identity", 1}}},
                                      {"value", {{"identity", 1}}}}}}};
        Session session = read(json.dump());
        SavedState now;
        now.set.batch = session.input.batch->withEmbeddings(0, matrix);
        const Session again = read(writeSession(session, now));
        CHECK(sameNumbers((**again.now->set.batch)[0].embeddings, matrix));
    }
}

TEST_CASE("names and brackets in texts do not confuse the scanner") {
    const std::string object = "\xEF\xBB\xBF { \"a\\\"}\" : [\"]\", {\"}\": 1}], \"b\":-1.5e3}";
    const auto members = membersOf(object);
    REQUIRE(members.size() == 2);
    CHECK(members[0].name == "a\"}");
    CHECK(members[1].name == "b");
    CHECK(object.substr(members[1].value, members[1].end - members[1].value) == "-1.5e3");
    CHECK(spliced(object, {{"b", ""}, {"a\"}", ""}}).ends_with("{ }"));
    CHECK(spliced("{}", {{"a", "1"}}) == "{\"a\": 1}");
    CHECK(spliced("{\n  \"a\": 1\n}", {{"b", "2"}}) == "{\n  \"a\": 1,\n  \"b\": 2\n}");
}
