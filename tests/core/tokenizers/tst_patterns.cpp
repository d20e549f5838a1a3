// Patterns: what they split, and that none of them hangs.
#include "core/tokenizers/text/pattern.h"
#include "pieces.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

/// "a|b|c", what fits in ( ).
std::string split(const Pattern &pattern, std::string_view text) {
    StopCheck stop{{}};
    const auto matches = pattern.split(text, stop);
    REQUIRE(matches.ok());
    std::string shown;
    std::size_t end = 0;
    for (const Match &match : *matches) {
        CHECK(match.begin == end);
        CHECK(match.begin < match.end);
        end = match.end;
        const std::string part(text.substr(match.begin, match.end - match.begin));
        shown += (shown.empty() ? "" : "|") + (match.fits ? "(" + part + ")" : part);
    }
    CHECK(end == text.size());
    return shown;
}

Pattern expression(std::string_view text) {
    auto pattern = Pattern::expression(text);
    REQUIRE_MESSAGE(pattern.ok(), (pattern.ok() ? "" : pattern.error().text()));
    return std::move(*pattern);
}

} // namespace

TEST_CASE("characters as they are") {
    CHECK(split(Pattern::literal("ab"), "xabyabab") == "x|(ab)|y|(ab)|(ab)");
    CHECK(split(Pattern::literal("aa"), "aaaaa") == "(aa)|(aa)|a");
    CHECK(split(Pattern::literal("é"), "cafés") == "caf|(é)|s");
    CHECK(split(Pattern::literal("a"), "").empty());
}

TEST_CASE("expressions see characters, not bytes") {
    CHECK(split(expression(R"(\p{L}+)"), "été 中文 12") == "(été)| |(中文)| 12");
    CHECK(split(expression("."), "é中") == "(é)|(中)");
    CHECK(split(expression(R"(\d)"), "a٣4") == "a|(٣)|(4)");
    CHECK(split(expression(R"(\s+(?!\S)|\s+)"), "a   b ") == "a|(  )|( )|b|( )");
}

TEST_CASE("white space is Unicode's, within brackets too") {
    const std::string text = "a\u00A0b\u3000c\u0085d\u180Ee";
    CHECK(split(expression(R"(\s)"), text) == "a|(\u00A0)|b|(\u3000)|c|(\u0085)|d\u180Ee");
    CHECK(split(expression(R"([^\s]+)"), text) == "(a)|\u00A0|(b)|\u3000|(c)|\u0085|(d\u180Ee)");
    CHECK(split(expression(R"(\S+)"), text) == "(a)|\u00A0|(b)|\u3000|(c)|\u0085|(d\u180Ee)");
    CHECK(split(expression(R"([\]\s]+)"), "a] b") == "a|(] )|b");
}

TEST_CASE("an empty match divides a text, and is no part of it") {
    CHECK(split(expression("x*"), "axxb中") == "a|(xx)|b|中");
    CHECK(split(expression("(?=b)"), "abab") == "a|ba|b");
}

TEST_CASE("what is no expression is refused, and says why") {
    for (const char *broken : {"(", "[a", "*", R"(\p{Nonsense})", "(?<a>x)(?<a>y)", R"(\C)"}) {
        const auto pattern = Pattern::expression(broken);
        REQUIRE_FALSE(pattern.ok());
        CHECK(pattern.error().what.text().find("cannot be understood") != std::string::npos);
    }
    CHECK_FALSE(Pattern::expression(std::string(20'000, 'a')).ok());
}

TEST_CASE("a pattern that is made to hang is stopped") {
    const std::string text = std::string(5000, 'a') + "!";
    for (const char *cruel : {"(a+)+$", "(a|a)*$", "(.*)*x", "(a|aa)+$"}) {
        const Pattern pattern = expression(cruel);
        StopCheck stop{{}};
        const auto matches = pattern.split(text, stop);
        if (matches)
            continue; // the library saw through it
        CHECK(matches.error().what.text().find("takes too long") != std::string::npos);
        CHECK_FALSE(matches.error().remedy.empty());
    }
    StopCheck stop{{}};
    CHECK_FALSE(expression("(a|a)*$").split(text, stop).ok());
}

TEST_CASE("a search can be stopped") {
    std::stop_source source;
    source.request_stop();
    StopCheck stop{source.get_token()};
    CHECK_THROWS_AS((void)expression("a").split(std::string(10'000, 'a'), stop), Cancelled);
    CHECK_THROWS_AS((void)Pattern::literal("a").split(std::string(10'000, 'a'), stop), Cancelled);
}
