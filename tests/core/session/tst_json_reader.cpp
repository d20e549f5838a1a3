#include "core/formats/json/reader.h"
#include "core_test.h"

namespace {

Error refusal(std::string_view text) {
    const auto json = readJson(text);
    REQUIRE_FALSE(json);
    return json.error();
}

} // namespace

TEST_CASE("a document becomes a tree in the order of the file") {
    const auto json = valueOf(readJson(R"( {"b": [1, -2.5, true, null, "é\n"], "a": {}} )"));
    REQUIRE(json.members().size() == 2);
    CHECK(json.members()[0].name == "b");
    const auto &list = json.find("b")->elements();
    REQUIRE(list.size() == 5);
    CHECK(list[0].number == 1);
    CHECK(list[1].single == -2.5f);
    CHECK(list[2].boolean);
    CHECK(list[3].kind == JsonValue::Kind::Null);
    CHECK(list[4].text() == "é\n");
    CHECK(json.find("a")->members().empty());
    CHECK(json.find("c") == nullptr);
    CHECK(list[0].find("c") == nullptr);
}

TEST_CASE("numbers are rounded once and never depend on the locale") {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    const char *locales[] = {"C", "de_DE.UTF-8", "de_DE.utf8", "ru_RU.UTF-8", "ps_AF.UTF-8"};
    for (const char *name : locales) {
        if (!std::setlocale(LC_ALL, name)) {
            const std::string missing = std::string("this system has no locale ") + name;
            MESSAGE(missing);
            continue;
        }
        const auto json =
            readJson("[0.1, 1.5e3, 16777217, 1e-400, 3.4028236e38, 1e39, 18446744073709551616.5]");
        std::setlocale(LC_ALL, before.c_str());
        REQUIRE(json);
        const auto &list = json->elements();
        CHECK(list[0].number == 0.1);
        CHECK(list[0].single == 0.1f);
        CHECK(list[1].number == 1500);
        CHECK(list[2].number == 16777217);
        CHECK(list[2].single == 16777216.0f);
        CHECK(list[3].number == 0);
        CHECK(std::isinf(list[5].single));
        CHECK(list[5].number == 1e39);
        CHECK(list[6].number == 18446744073709551616.5);
    }
}

TEST_CASE("what is not JSON is refused with its position") {
    CHECK(refusal("").where == "line 1, column 1");
    CHECK(refusal("{\n  \"a\": nul\n}").where.starts_with("line 2, column "));
    CHECK(refusal("[1, 2").what.text().find("unexpected end") != std::string::npos);
    CHECK(refusal("{} {}").where == "line 1, column 4");
    CHECK(refusal("[NaN]").where == "line 1, column 2");
    CHECK(refusal("[Infinity]").where == "line 1, column 2");
    CHECK(refusal("[1,]").where == "line 1, column 4");
    CHECK(refusal("\"é\" x").where == "line 1, column 5");
    CHECK(refusal("[1] // comment").where == "line 1, column 5");
    CHECK_FALSE(readJson(std::string_view("[1]\0", 4)));
}

TEST_CASE("numbers beyond double are refused") {
    const Error error = refusal("[1,\n 1e400]");
    CHECK(error.what == "number out of range");
    CHECK(error.where.starts_with("line 2, column "));
    for (const char *large :
         {"-1e400", "1.5e400", "0.5e400", "0.001e+999", "1e99999999999999999999"})
        CHECK_FALSE(readJson("[" + std::string(large) + "]"));
    CHECK_FALSE(readJson("[1" + std::string(400, '0') + ".5e-50]"));
    for (const std::string &tiny :
         {std::string("1e-400"), std::string("-123.5e-900"), std::string("1e-99999999999999999999"),
          "0." + std::string(400, '0') + "1e50"}) {
        const auto json = valueOf(readJson("[" + tiny + "]"));
        CHECK(json.elements()[0].number == 0);
    }
    CHECK_FALSE(readJson("[" + std::string(400, '9') + "]"));
}

TEST_CASE("names appear once in an object") {
    const Error error = refusal("{\"a\": 1,\n\"a\": 2}");
    CHECK(error.what == "the name \"a\" appears twice in one object");
    CHECK(error.where == "line 2, column 3");
    CHECK_FALSE(readJson("{\"a\": 1, \"\\u0061\": 2}"));
    CHECK(readJson("{\"a\": {\"a\": 1}, \"b\": {\"a\": 1}}"));
}

TEST_CASE("names appear once in a large object, and the first duplicate is named") {
    std::string many = "{\"n0\": 0";
    for (int i = 1; i < 1000; ++i)
        many += ", \"n" + std::to_string(i) + "\": " + std::to_string(i);
    const auto read = valueOf(readJson(many + "}"));
    for (const int i : {0, 31, 32, 33, 999})
        CHECK(read.find("n" + std::to_string(i))->number == i);
    for (const char *name : {"n0", "n31", "n32", "n33", "n999"}) {
        const std::string twice = ",\n\"" + std::string(name) + "\": 2";
        const Error error = refusal(many + twice + ", \"other\": 3, \"n500\": 4}");
        CHECK(error.what.text() ==
              "the name \"" + std::string(name) + "\" appears twice in one object");
        CHECK(error.where == "line 2, column " + std::to_string(std::string(name).size() + 2));
    }
}

TEST_CASE("nesting is bounded") {
    const auto nested = [](std::size_t depth) {
        return std::string(depth, '[') + std::string(depth, ']');
    };
    CHECK(readJson(nested(64)));
    CHECK(refusal(nested(65)).what == "it is nested deeper than 64 levels");
    CHECK(refusal(nested(65)).where == "line 1, column 65");
    CHECK(refusal(std::string(1'000'000, '[')).where == "line 1, column 65");
    std::string objects;
    for (int i = 0; i < 1'000'000; ++i)
        objects += "{\"a\":";
    CHECK(refusal(objects).what == "it is nested deeper than 64 levels");
}

TEST_CASE("the number of values is bounded") {
    std::string many = "[0";
    for (std::size_t i = 0; i < kMaxJsonValues; ++i)
        many += ",0";
    CHECK(refusal(many + "]").what.text().find("write large matrices as base64") !=
          std::string::npos);
}

TEST_CASE("text is UTF-8") {
    CHECK(refusal("[\"\xff\"]").what == "it is not valid UTF-8");
    CHECK(refusal("[\n\"a\xc3\"]").where == "line 2, column 3");
    CHECK_FALSE(readJson("[\"\\ud800\"]")); // half a surrogate pair
    CHECK(readJson("\xef\xbb\xbf[1]"));     // a byte order mark is skipped
}

TEST_CASE("text from files is shown on one line") {
    CHECK(inQuotes("a\nb") == "\"a b\"");
    CHECK(inQuotes(std::string(50, 'x')) == "\"" + std::string(40, 'x') + "…\"");
}
