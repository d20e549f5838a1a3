// Lists of texts, one line of JSON each, from untrusted authors.
#include "core/formats/text_list.h"
#include "tests/core/core_test.h"

namespace {

std::string errorOf(const std::string &bytes) {
    const auto texts = readTextList(bytes);
    return texts ? "" : texts.error().text();
}

} // namespace

TEST_CASE("texts are strings or objects with a text") {
    const auto texts =
        valueOf(readTextList("\"The cat\"\n\n{\"text\": \"sat\\n\", \"label\": 3}\r\n"
                             "  {\"pair\": \"b\", \"text\": \"a\", \"target_text\": "
                             "\"c\", \"output\": \"/etc/passwd\"}"));
    REQUIRE(texts.size() == 3);
    CHECK(texts[0].text == "The cat");
    CHECK(texts[0].line == 1);
    CHECK_FALSE(texts[0].pair);
    CHECK(texts[1].text == "sat\n");
    CHECK(texts[1].line == 3);
    CHECK(texts[2].text == "a");
    CHECK(texts[2].pair == "b");
    CHECK(texts[2].targetText == "c");
    CHECK(texts[2].line == 4);
    CHECK_FALSE(texts[2].token);
    CHECK(valueOf(readTextList("{\"text\": \"a\", \"token\": \"b\", \"id\": 7}"))[0].token == "b");
}

TEST_CASE("errors name the line") {
    CHECK(errorOf("\"a\"\n{\"text\": 3}").starts_with("line 2: \"text\" is not a string"));
    CHECK(errorOf("{\"text\": \"a\", \"pair\": null}")
              .starts_with("line 1: \"pair\" is not a string"));
    CHECK(errorOf("{\"text\": \"a\", \"token\": 7}")
              .starts_with("line 1: \"token\" is not a string"));
    CHECK(errorOf("{}").starts_with("line 1: it has no text"));
    CHECK(errorOf("[\"a\"]").starts_with("line 1: it has no text"));
    CHECK(errorOf("3").starts_with("line 1: it has no text"));
    CHECK(errorOf("\"a\"\n\"b").starts_with("line 2, column "));
    CHECK(errorOf("\"a\" \"b\"").starts_with("line 1, column "));
    CHECK(errorOf("\"\xff\"").starts_with("line 1"));
    CHECK(errorOf("").starts_with("it contains no text"));
    CHECK(errorOf("\n \r\n").starts_with("it contains no text"));
}

TEST_CASE("lines and texts are limited") {
    std::string many;
    for (std::size_t i = 0; i < kMaxListedTexts; ++i)
        many += "\"a\"\n";
    CHECK(valueOf(readTextList(many)).size() == kMaxListedTexts);
    CHECK(errorOf(many + "\"a\"").starts_with("line 10001: there are more than 10000 texts"));
    const std::string full = '"' + std::string(kMaxListLineBytes - 2, 'a') + '"';
    CHECK(errorOf(full).empty());
    CHECK(errorOf(full + ' ').starts_with("line 1: it is longer than 8388608 bytes"));
    CHECK(errorOf(std::string(100, '[')).starts_with("line 1"));
    std::stop_source source;
    source.request_stop();
    const auto stopped = readTextList(many, source.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().what == "cancelled");
}
