// `ids` and `offsets` of a sequence's `tokens`, and vocabularies with duplicate words: reading,
// checking and writing. Version 2 is used only if needed.
#include "core/checks/session_check.h"
#include "core/formats/session/writing/writer.h"
#include "core_test.h"
#include "support.h"

namespace {

/// Returns a model whose vocabulary has "bank" as words 2 and 4.
Json model() {
    return Json::parse(R"({"width": 2, "heads": 1, "head_size": 2,
        "vocabulary": ["[PAD]", "[UNK]", "bank", "money", "bank", "é水"],
        "token_embeddings": [[0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]],
        "layers": [{"self_attention": {"query": {"identity": 1}, "key": {"identity": 1},
                                       "value": {"identity": 1}}}]})");
}

std::string document(const Json &sequence, int version = 2, const Json &of = model()) {
    const Json sequences{sequence};
    return Json{{"headlight", version}, {"batch", {{"sequences", sequences}}}, {"model", of}}
        .dump();
}

std::vector<std::string> problemPlacesOf(const std::string &json) {
    std::vector<std::string> places;
    for (const Error &problem : checkSession(json))
        places.push_back(problem.where);
    return places;
}

using PlaceList = std::vector<std::string>;

std::vector<float> lookedUp(const Session &session) {
    const SharedMatrix rows = traceOf(session)->matrix(Stage::Embeddings, {}, 0, 0);
    std::vector<float> numbers;
    for (Index row = 0; row < rows.rows; ++row)
        numbers.push_back(rows(row, 0));
    return numbers;
}

/// Returns the state saved with another batch and read again.
Session savedWith(const Session &session, BatchPointer batch) {
    SavedState now;
    now.set.batch = std::move(batch);
    return read(writeSession(session, now));
}

/// Returns the file version that is written with this batch.
int versionWith(const Session &session, BatchPointer batch) {
    SavedState now;
    now.set.batch = std::move(batch);
    return Json::parse(writeSession(session, now))["headlight"].get<int>();
}

Json alike() {
    return {{"tokens", {"bank", "money", "bank", "frog"}}, {"ids", {4, nullptr, 2, 5}}};
}

Json placed() {
    return {{"text", "Das é水 x"},
            {"tokens", {"[UNK]", "é水", "bank"}},
            {"ids", {nullptr, nullptr, 4}},
            {"offsets", {{0, 3}, {4, 9}, nullptr}}};
}

} // namespace

TEST_CASE("ids are looked up, and only ids that differ from the word's are kept") {
    const Session session = read(document(alike()));
    const Sequence &sequence = (*session.input.batch)[0];
    CHECK(sequence.tokens == std::vector<Token>{{"bank", 4}, {"money"}, {"bank"}, {"frog", 5}});
    CHECK(lookedUp(session) == std::vector<float>{4, 3, 2, 5});
    CHECK(lookedUp(read(document({{"tokens", {"bank", "frog"}}}))) == std::vector<float>{2, 1});
}

TEST_CASE("offsets are the positions of tokens in the text") {
    const Session session = read(document(placed()));
    const Sequence &sequence = (*session.input.batch)[0];
    CHECK(sequence.text == "Das é水 x");
    CHECK_FALSE(sequence.isSplit);
    CHECK(sequence[0].span == TextSpan{0, 3});
    CHECK(sequence[1].span == TextSpan{4, 9});
    CHECK_FALSE(sequence[2].span.has_value());
    // Headlight's own splitting gives spans too.
    const Session typed = read(document({{"text", "bank é, 水"}}));
    CHECK((*typed.input.batch)[0].isSplit);
    CHECK((*typed.input.batch)[0][1].span == TextSpan{5, 7});
    CHECK((*typed.input.batch)[0][3].span == TextSpan{9, 12});
}

TEST_CASE("what version 1 supports is written as version 1") {
    Json usual = model();
    usual["vocabulary"][4] = "river";
    const auto plainWith = [&](const Json &sequence) { return read(document(sequence, 1, usual)); };
    const Session plain = plainWith({{"text", "money"}});
    for (const Json &sequence : {Json{{"text", "bank money"}}, Json{{"tokens", {"bank", "money"}}},
                                 Json{{"tokens", {"bank", "money"}}, {"ids", {2, 3}}}}) {
        CHECK(versionWith(plain, plainWith(sequence).input.batch) == 1);
        CHECK(versionWith(plainWith(sequence), plainWith({{"text", "bank"}}).input.batch) == 1);
    }
    for (const Json &sequence :
         {Json{{"tokens", {"bank", "money"}}, {"ids", {3, 3}}},
          Json{{"text", "bank"}, {"tokens", {"bank"}}, {"offsets", {{0, 4}}}}}) {
        CHECK(versionWith(plain, plainWith(sequence).input.batch) == 2);
        CHECK(versionWith(plainWith(sequence), plainWith({{"text", "bank"}}).input.batch) == 2);
    }
    // Version 1 does not support duplicate words.
    const Session words = read(document({{"text", "money"}}, 2));
    CHECK(versionWith(words, read(document({{"text", "bank"}})).input.batch) == 2);
}

TEST_CASE("a file stores which tokens the model chose") {
    const Json split{{"text", "bank money bank"}, {"written", {{1, 3}}}};
    Json apart = alike();
    apart["written"] = {{0, 1}, {2, 3}};
    const Session plain = read(document({{"text", "money"}}, 1));
    for (const Json &sequence : {split, apart}) {
        CAPTURE(sequence.dump());
        const Session session = read(document(sequence));
        const Sequence &own = (*session.input.batch)[0];
        for (Index token = 0; token < own.length; ++token)
            CHECK(own[token].isWritten == (sequence == split ? token > 0 : token % 2 == 0));
        const Session again = savedWith(plain, session.input.batch);
        REQUIRE(again.now);
        REQUIRE(again.now->set.batch);
        CHECK(sameNumbers(*again.now->set.batch, session.input.batch));
        CHECK(versionWith(plain, session.input.batch) == 2);
        CHECK(writeSession(session, {}) == document(sequence));
    }
}

TEST_CASE("wrong ids and offsets are refused at their place") {
    const std::string at = "batch.sequences[0]";
    const auto refusedAt = [&](const Json &sequence) {
        return problemPlacesOf(document(sequence));
    };
    const auto with = [](Json sequence, const char *name, const Json &value) {
        sequence[name] = value;
        return sequence;
    };
    CHECK(refusedAt(alike()).empty());
    CHECK(refusedAt(placed()).empty());
    for (const Json &ids : {Json{1, 2}, Json::array(), Json{1, 2, 3, 4, 5}, Json(7), Json("ids")}) {
        CAPTURE(ids.dump());
        CHECK(refusedAt(with(alike(), "ids", ids)) == PlaceList{at + ".ids"});
    }
    for (const Json &id :
         {Json(6), Json(-1), Json(1.5), Json("bank"), Json(1e300), Json(1 << 20)}) {
        CAPTURE(id.dump());
        CHECK(refusedAt(with(alike(), "ids", {1, 2, id, 3})) == PlaceList{at + ".ids[2]"});
    }
    CHECK(refusedAt({{"text", "money"}, {"ids", {3}}}) == PlaceList{at + ".ids"});
    CHECK(refusedAt({{"text", "money"}, {"offsets", {{0, 5}}}}) == PlaceList{at + ".offsets"});
    CHECK(refusedAt({{"tokens", {"money"}}, {"offsets", {{0, 5}}}}) == PlaceList{at + ".offsets"});
    CHECK(refusedAt({{"text", "money"}, {"tokens", {"money"}}}) == PlaceList{at});
    CHECK(refusedAt({{"text", "money"}, {"tokens", {"money"}}, {"ids", {3}}}) == PlaceList{at});
    CHECK(refusedAt(with(placed(), "text", "")) == PlaceList{at + ".text"});
    CHECK(refusedAt(with(placed(), "text", 3)) == PlaceList{at + ".text"});
    CHECK(refusedAt(with(placed(), "text", std::string((1 << 22) + 1, 'a'))) ==
          PlaceList{at + ".text"});
    CHECK(refusedAt(with(placed(), "offsets", {{0, 3}})) == PlaceList{at + ".offsets"});
    struct Case {
        Json offset;
        const char *place;
    };
    for (const auto &[offset, place] :
         {Case{{4, 12}, ".offsets[1][1]"}, Case{{-1, 3}, ".offsets[1][0]"},
          Case{{9, 4}, ".offsets[1]"}, Case{{5, 9}, ".offsets[1]"}, Case{{4, 7}, ".offsets[1]"},
          Case{Json::array({4}), ".offsets[1]"}, Case{{4, 9, 9}, ".offsets[1]"},
          Case{"4", ".offsets[1]"}, Case{{4, 8.5}, ".offsets[1][1]"},
          Case{Json::object(), ".offsets[1]"}}) {
        CAPTURE(offset.dump());
        CHECK(refusedAt(with(placed(), "offsets", {{0, 3}, offset, nullptr})) ==
              PlaceList{at + place});
    }
    // The whole text, empty spans, overlaps and any order are allowed.
    CHECK(refusedAt(with(placed(), "offsets", {{0, 11}, {11, 11}, {0, 0}})).empty());
    CHECK(refusedAt(with(placed(), "offsets", {{4, 6}, {0, 3}, {4, 9}})).empty());
}

TEST_CASE("a model with its own word vectors has no ids") {
    Json json = Json::parse(document({{"tokens", {"money"}}, {"ids", {3}}}));
    json["model"].erase("vocabulary");
    json["model"].erase("token_embeddings");
    json["model"]["embeddings"] = {{"words", {{"money", {1, 2}}}}};
    CHECK(problemPlacesOf(json.dump()) == PlaceList{"batch.sequences[0].ids"});
}

TEST_CASE("a token whose text differs from its word's gives a warning, and is read") {
    const Findings found = inspectSession(document(alike()));
    CHECK(found.problems.empty());
    REQUIRE(found.warnings.size() == 1);
    CHECK(found.warnings[0].where == "batch.sequences[0].ids[3]");
    CHECK(found.warnings[0].text().find("é水") != std::string::npos);
    CHECK(found.warnings[0].text().find("frog") != std::string::npos);
}

TEST_CASE("the batch of a state has ids too, and is checked") {
    Json json = Json::parse(document({{"text", "money"}}));
    json["now"] = {{"set", {{"batch", {{"sequences", Json{alike()}}}}}}};
    const Session session = read(json.dump());
    CHECK((**session.now->set.batch)[0][0].id == 4);
    CHECK_FALSE((**session.now->set.batch)[0][2].id.has_value());
    json["now"]["set"]["batch"]["sequences"][0]["ids"][1] = 6;
    CHECK(problemPlacesOf(json.dump()) == PlaceList{"now.set.batch.sequences[0].ids[1]"});
}

TEST_CASE("words with the same text are read, and the text means the first one") {
    const Session session = read(document({{"text", "bank bank"}}));
    CHECK(session.model.vocabulary->size() == 6);
    CHECK(lookedUp(session) == std::vector<float>{2, 2});
    CHECK(inspectSession(document({{"text", "bank"}})).problems.empty());
    Json empty = model();
    empty["vocabulary"][4] = "";
    CHECK(problemPlacesOf(document({{"text", "bank"}}, 2, empty)).front() == "model.vocabulary[4]");
}

TEST_CASE("marks of generated tokens are refused where they make no sense") {
    const std::string at = "batch.sequences[0].written";
    const auto refused = [&](const Json &written) {
        return problemPlacesOf(document({{"text", "bank money bank"}, {"written", written}}));
    };
    CHECK(refused(7) == PlaceList{at});
    CHECK(refused({{0, 4}}) == PlaceList{at + "[0][1]"});
    CHECK(refused({{-1, 2}}) == PlaceList{at + "[0][0]"});
    CHECK(refused({{1, 1}}) == PlaceList{at + "[0][1]"});
    CHECK(refused({{0, 2}, {1, 3}}) == PlaceList{at + "[1][0]"});
    CHECK(refused({{0, 3}, {3, 4}}) == PlaceList{at + "[1][0]"});
    CHECK(refused({{0, 1, 2}}) == PlaceList{at + "[0]"});
    CHECK(refused({"a"}) == PlaceList{at + "[0]"});
}
