// Sessions with one error: the message names the field and its value, and there are no other
// errors.
#include "core/checks/session_check.h"
#include "core_test.h"
#include "support.h"

namespace {

/// Returns the places of errors and of warnings, such as a view that does not exist.
std::set<std::string> placesOf(const std::string &json) {
    std::set<std::string> places;
    const Findings found = inspectSession(json);
    for (const Error &error : found.problems) {
        CHECK_FALSE(error.what.empty());
        CHECK(error.text().find('\n') == std::string::npos);
        places.insert(error.where);
    }
    const auto session = readSession(json);
    CHECK(session.ok() == places.empty());
    if (!session)
        CHECK(places.contains(session.error().where));
    for (const Warning &warning : found.warnings) {
        CHECK_FALSE(warning.what.empty());
        CHECK(warning.text().find('\n') == std::string::npos);
        places.insert(warning.where);
    }
    return places;
}

using Places = std::set<std::string>;

/// Converts a JSON pointer to the path used in errors.
std::string pathOf(const std::string &pointer) {
    std::string path;
    std::size_t at = 1;
    while (at <= pointer.size()) {
        const std::size_t end = std::min(pointer.find('/', at), pointer.size());
        const std::string part = pointer.substr(at, end - at);
        if (part.find_first_not_of("0123456789") == std::string::npos)
            path += "[" + part + "]";
        else if (path.ends_with(".words"))
            path += "[\"" + part + "\"]";
        else
            path += (path.empty() ? "" : ".") + part;
        at = end + 1;
    }
    return path;
}

const std::string kAttention = "/model/layers/0/self_attention";

} // namespace

TEST_CASE("sizes are refused before anything is allocated") {
    for (const std::string &field : {std::string("/model/width"), std::string("/model/heads"),
                                     std::string("/model/head_size"), std::string("/batch/length")})
        for (const double size : {1e9, 1e18, 1e300}) {
            CAPTURE(field);
            CHECK(placesOf(with(field, size)).contains(pathOf(field)));
        }
    // Each size alone is allowed, but not their combination.
    Json json = smallSession();
    json["model"]["width"] = 16384;
    json["model"]["heads"] = 256;
    json["model"]["head_size"] = 64;
    for (const char *matrix : {"query", "key", "value", "output"})
        json["model"]["layers"][0]["self_attention"][matrix] = {{"identity", 1}};
    CHECK(placesOf(json.dump()).contains("model.layers[0].self_attention.query"));
    json["model"]["head_size"] = 16384;
    CHECK(placesOf(json.dump()).contains("model.heads"));

    json = smallSession();
    json["batch"] = {{"length", 1 << 20}, {"sequences", {{{"text", "a"}}, {{"text", "b"}}}}};
    CHECK(placesOf(json.dump()).contains("batch"));
    json["batch"] = {{"length", 1 << 20}, {"sequences", {{{"text", "a"}}}}};
    json.erase("view");
    json.erase("lesson");
    json["masks"] = Json::array();
    CHECK_FALSE(placesOf(json.dump()).empty()); // its attention would not fit in memory
}

TEST_CASE("matrices of another shape name both shapes and the row") {
    const std::string place = kAttention + "/query";
    const std::string path = "model.layers[0].self_attention.query";
    CHECK(placesOf(with(place, Json::parse("[[1, 2]]"))) == Places{path});
    CHECK(checkSession(with(place, Json::parse("[[1, 2]]"))).front().what ==
          "expected 2 × 2 numbers, found 1 rows");
    CHECK(placesOf(with(place, Json::parse("[[1, 2], [3]]"))) == Places{path + "[1]"});
    CHECK(placesOf(with(place, Json::parse("[[1, \"x\"], [3, null]]"))) ==
          Places{path + "[0][1]", path + "[1][1]"});
    CHECK(placesOf(with(place, Json::parse("[[1, 1e39], [3, 4]]"))) == Places{path + "[0][1]"});
    CHECK(placesOf(with(place, Json::parse(R"({"heads": [[[1], [2]]]})"))) ==
          Places{path + ".heads"});
    CHECK(placesOf(with(place, Json::parse(R"({"heads": [[[1], [2]], [[1]]]})"))) ==
          Places{path + ".heads[1]"});
    CHECK(placesOf(with(place, Json::parse(R"({"random": {"seed": 1, "scale": 3e38}})")))
              .contains(path + ".random.scale"));
    CHECK(placesOf(with("/batch/sequences/1/embeddings", Json::parse("[[1, 2]]"))) ==
          Places{"batch.sequences[1].embeddings"});
}

TEST_CASE("indices that are out of range") {
    for (const auto &[field, index] :
         {std::pair(std::string("/view/sequence"), 2), std::pair(std::string("/view/layer"), 1),
          std::pair(std::string("/view/head"), 2), std::pair(std::string("/view/query"), 3),
          std::pair(std::string("/view/key"), 3), std::pair(std::string("/view/dimension"), 2),
          std::pair(std::string("/masks/3/cells/0/sequence"), 2),
          std::pair(std::string("/masks/3/cells/0/query"), 3),
          std::pair(std::string("/masks/3/cells/0/key"), 3),
          std::pair(std::string("/lesson/steps/0/show/head"), 2),
          std::pair(std::string("/lesson/steps/0/show/query"), 4)}) {
        CAPTURE(field);
        CHECK(placesOf(with(field, index)) == Places{pathOf(field)});
    }
    CHECK(placesOf(with("/lesson/steps/0/show/query", 3)).empty()); // the step's own text is longer
}

TEST_CASE("missing stages, words and texts") {
    CHECK(placesOf(with("/view/stage", "logit")) == Places{"view.stage"});
    CHECK(placesOf(with("/lesson/steps/0/show/stage", "embedding_sum")) ==
          Places{"lesson.steps[0].show.stage"}); // without positions, the stage does not exist
    CHECK(placesOf(with("/lesson/steps/0/set/text", "  ")) == Places{"lesson.steps[0].set.text"});
    CHECK(placesOf(with("/batch/sequences/0/text", "")) == Places{"batch.sequences[0].text"});
    CHECK(placesOf(with("/batch/sequences/1/tokens", Json::array())) ==
          Places{"batch.sequences[1].tokens"});
    CHECK(placesOf(with("/batch/sequences/1/tokens", {"[PAD]"})) ==
          Places{"batch.sequences[1].tokens"});
    CHECK(placesOf(with("/batch/sequences/1/tokens", {"a", ""})) ==
          Places{"batch.sequences[1].tokens[1]"});
    CHECK(placesOf(with("/model/embeddings/words/A", {1, 2})) ==
          Places{"model.embeddings.words[\"A\"]"}); // case is ignored, so "a" is a duplicate
    CHECK(placesOf(with("/headlight", 3)) == Places{"headlight"});
    CHECK(placesOf(with("/headlight", 2)).empty());
    CHECK(placesOf("[]") == Places{"headlight"});
}

TEST_CASE("all errors are listed, in the order of reading") {
    Json json = smallSession();
    json["title"] = 3;
    json["model"]["temperature"] = 0;
    json["model"]["layers"][0]["self_attention"]["query"][1][0] = "x";
    json["masks"][2]["width"] = 0;
    json["view"]["head"] = "seven";
    json["lesson"]["steps"][0]["title"] = nullptr;
    CHECK(placesOf(json.dump()) == Places{"title", "model.temperature",
                                          "model.layers[0].self_attention.query[1][0]",
                                          "masks[2].width", "view.head", "lesson.steps[0].title"});
}

TEST_CASE("check expands the marks of every step") {
    std::string json = lessonFile("bank");
    const std::string good = "{weights 0 0 bank money}";
    const std::size_t at = json.find(good);
    REQUIRE(at != std::string::npos);
    json.replace(at, good.size(), "{weights 0 0 9 0}");
    CHECK(readSession(json).ok()); // the session can be read and is shown with a gap in the text
    const auto problems = checkSession(json);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].where.starts_with("lesson.steps["));
    CHECK(problems[0].what.text().find("weights 0 0 9 0") != std::string::npos);
}

TEST_CASE("check requires every claim of a lesson to hold") {
    std::string json = lessonFile("bank");
    const std::string good = "{if scores 0 0 bank money > ";
    const std::size_t at = json.find(good);
    REQUIRE(at != std::string::npos);
    json.replace(at, good.size(), "{if scores 0 0 bank money < ");
    const auto problems = checkSession(json);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].what.text().starts_with("the claim does not hold"));
}
