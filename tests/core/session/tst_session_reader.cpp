#include "core/checks/session_check.h"
#include "core_test.h"
#include "support.h"

namespace {

const AttentionParameters &attention(const Session &session) {
    return session.model.parameters.main.layers.at(0).selfAttention;
}

std::vector<float> numbers(const Parameter &parameter) {
    REQUIRE(parameter);
    return parameter->toMatrix()->values();
}

} // namespace

TEST_CASE("every field of a session is read") {
    const std::string json = smallSession().dump();
    CHECK(checkSession(json).empty());
    const Session session = read(json);
    CHECK(session.title == "small");
    CHECK(session.json == json);
    CHECK(session.minimumLength == 3);
    Config expected;
    expected.width = 2;
    expected.heads = 2;
    expected.headSize = 1;
    expected.scale = {Scale::Kind::Number, 2};
    expected.temperature = 1.5f;
    expected.positions = Positions::Sinusoidal;
    expected.masking = {-1e9f, false};
    CHECK(session.model.config == expected);

    const Batch &batch = *session.input.batch;
    CHECK(batch.count() == 2);
    CHECK(textsOf(batch[0].tokens) == std::vector<std::string>{"a", "b", "[PAD]"});
    CHECK(batch[0].text == "a b");
    CHECK(batch[0].length == 2);
    CHECK_FALSE(batch[0].embeddings);
    CHECK(numbers(batch[1].embeddings) == std::vector<float>{1, 2, 3, 4, 5, 6});

    const Embeddings::Given &given = session.model.embeddings->given();
    CHECK(given.words.size() == 2);
    CHECK(given.seed == 3);
    CHECK(given.deviation == 0.5f);
    CHECK(given.ignoreCase);

    const AttentionParameters &a = attention(session);
    CHECK(numbers(a.query) == std::vector<float>{1, 2, 3, 4});
    CHECK(numbers(a.value) ==
          std::vector<float>{1, 3, 2, 0}); // the heads' columns are side by side
    CHECK(numbers(a.output) == std::vector<float>{1, 2, 3, 4});
    CHECK(numbers(a.queryBias) == std::vector<float>{0.5f, 1});
    CHECK(numbers(a.outputBias) == std::vector<float>{0, 0});

    const MaskLayers masks{
        CausalMask{},  PaddingMask{}, WindowMask{3, true}, CellMask{{{1, 0, 2, true}}},
        PrefixMask{1}, BlockMask{2},  DiagonalMask{}};
    CHECK(session.input.masks == masks);
    const SelectionPatch view{1, 0, 1, Stage::AttentionWeights, 2, 1, 0, false, "heads"};
    CHECK(session.view == view);

    const LessonStep &step = session.lesson->steps.at(0);
    CHECK(session.lesson->summary == "One sentence.");
    CHECK(step.title == "First");
    CHECK(step.text == std::vector<std::string>{"One.", "Two."});
    CHECK(step.tryIt == "Do it.");
    CHECK(step.show.clearsCell);
    CHECK(step.show.head == 0);
    CHECK(step.set.text == "d e f g");
    CHECK(step.set.masks == MaskLayers{});
    CHECK(step.set.positions == Positions::None);
    CHECK(step.set.scale == Scale{Scale::Kind::Off, 1});
    CHECK(step.set.temperature == 2.0f);
}

TEST_CASE("random matrices are the same for the same seed, and have the specified scale") {
    const auto query = [](const char *recipe, std::optional<std::uint64_t> seed = {}) {
        Json json = smallSession();
        json["model"]["width"] = 400;
        json["model"]["heads"] = 1;
        json["model"]["head_size"] = 50;
        json["model"].erase("embeddings");
        json["batch"]["sequences"].erase(1);
        for (const char *field : {"view", "lesson", "masks", "interventions", "now"})
            json.erase(field);
        Json &a = json["model"]["layers"][0]["self_attention"];
        a = {{"query", Json::parse(recipe)},
             {"key", {{"identity", 1}}},
             {"value", {{"identity", 1}}}};
        const auto session = valueOf(readSession(json.dump(), seed));
        return attention(session).query->toMatrix()->values();
    };
    const auto normal = query(R"({"random": {"seed": 1}})");
    CHECK(normal == query(R"({"random": {"seed": 1, "kind": "normal", "scale": 1}})"));
    CHECK(normal != query(R"({"random": {"seed": 2}})"));
    CHECK(normal != query(R"({"random": {"seed": 1}})", 1)); // the user's seed gives other numbers
    CHECK(query(R"({"random": {"seed": 1}})", 1) == query(R"({"random": {"seed": 1}})", 1));
    double squares = 0;
    for (const float number : normal)
        squares += static_cast<double>(number) * static_cast<double>(number);
    CHECK(std::sqrt(squares / static_cast<double>(normal.size())) ==
          doctest::Approx(1.0 / 20).epsilon(0.02)); // scale / √rows

    const auto uniform = query(R"({"random": {"seed": 1, "kind": "uniform", "scale": 2}})");
    const auto [low, high] = std::minmax_element(uniform.begin(), uniform.end());
    CHECK(*low >= -0.1f);
    CHECK(*low < -0.099f);
    CHECK(*high < 0.1f);
    CHECK(*high > 0.099f);
}

TEST_CASE("base64 holds little-endian floats") {
    const std::string place = "/model/layers/0/self_attention/query";
    // 1, −2, 0.5, 3.25: their 16 bytes as RFC 4648 encodes them.
    const Json matrix = {{"base64", "AACAPwAAAMAAAAA/AABQQA=="}, {"rows", 2}, {"columns", 2}};
    CHECK(numbers(attention(read(with(place, matrix))).query) ==
          std::vector<float>{1, -2, 0.5f, 3.25f});

    const auto refused = [&](const char *text, int rows = 2, int columns = 2) {
        const auto problems =
            checkSession(with(place, {{"base64", text}, {"rows", rows}, {"columns", columns}}));
        REQUIRE_FALSE(problems.empty());
        CHECK(problems.front().where.starts_with("model.layers[0].self_attention.query."));
    };
    refused("");
    refused("AACAPwAAAMAAAAA/AABQQA=");
    refused("AACAPwAAAMAAAAA/AABQQA==AAAA");
    refused("AACAPwAAAMAAAAA/AABQQB=="); // unused bits of the last digit must be 0
    refused("AACAPwAAAMAAAAA/AAB*QA==");
    refused("AACAPwAAAMAAAAA/AADAfw=="); // NaN
    refused("AACAPwAAAMAAAAA/AABQQA==", 4, 1);
    refused("AACAPwAAAMAAAAA/AABQQA==", 1000000000, 1000000000);
}

TEST_CASE("base64 holds 16-bit floats if the type is F16") {
    const std::string place = "/model/layers/0/self_attention/query";
    // 1, −2, 0.5, 3.25 as 8 bytes
    const auto matrix = [](const char *text, const char *type) {
        return Json{{"base64", text}, {"rows", 2}, {"columns", 2}, {"type", type}};
    };
    CHECK(numbers(attention(read(with(place, matrix("ADwAwAA4gEI=", "F16")))).query) ==
          std::vector<float>{1, -2, 0.5f, 3.25f});
    CHECK(numbers(attention(read(with(place, matrix("AACAPwAAAMAAAAA/AABQQA==", "F32")))).query) ==
          std::vector<float>{1, -2, 0.5f, 3.25f});

    const auto refused = [&](const char *text, const char *type) {
        const auto problems = checkSession(with(place, matrix(text, type)));
        REQUIRE_FALSE(problems.empty());
        CHECK(problems.front().where.starts_with("model.layers[0].self_attention.query."));
    };
    refused("AACAPwAAAMAAAAA/AABQQA==", "F16"); // too long
    refused("ADwAwAA4gEI=", "F32");             // too short
    refused("ADwAwAB8gEI=", "F16");             // infinity
    refused("ADwAwAB+gEI=", "F16");             // NaN
    refused("ADwAwAA4gE*=", "F16");
    refused("ADwAwAA4gEI=", "BF16");
}

TEST_CASE("files") {
    const std::string path = std::string(HEADLIGHT_TEST_SCRATCH) + "/small.headlight";
    const auto write = [&](const std::string &text) {
        std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
    };
    write(smallSession().dump());
    CHECK(readSessionFile(path));
    CHECK(checkSessionFile(path).empty());
    write(without("/model/width"));
    CHECK(readSessionFile(path).error().where == path + ": model.width");
    CHECK(checkSessionFile(path).front().where == "model.width");
    write("[");
    CHECK(readSessionFile(path).error().where == path + ": line 1, column 2");

    CHECK(readSessionFile(path + ".none").error().where == path + ".none");
    CHECK(readSessionFile(HEADLIGHT_TEST_SCRATCH).error().what.text().find("folder") !=
          std::string::npos);
    CHECK_FALSE(checkSessionFile(path + ".none").empty());
    std::filesystem::resize_file(path, kMaxSessionBytes + 1); // a sparse file
    CHECK(readSessionFile(path).error().what == "it is larger than 256 MB");
    std::remove(path.c_str());
}
