// Patterns: how they split text, and that none of them hangs.
#include "core/tokenizers/text/pattern.h"
#include "pieces.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

/// Returns the pieces as "a|b|c", with matches in ( ).
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

TEST_CASE("expressions in Oniguruma's words") {
    const auto published = [](std::string_view text) {
        auto pattern = Pattern::expression(text, ExpressionSyntax::Oniguruma);
        REQUIRE_MESSAGE(pattern.ok(), (pattern.ok() ? "" : pattern.error().text()));
        return std::move(*pattern);
    };
    // Brackets within brackets extend the same set: BLOOM's own expression.
    CHECK(split(published(R"( ?[^(\s|[.,!?…。，、।۔،])]+)"), "a b, (c)|d。e") ==
          "(a)|( b)|, (|(c)|)||(d)|。|(e)");
    CHECK(split(published(R"([a[b-d]\]]+)"), "xabcd]e") == "x|(abcd])|e");
    CHECK(split(published(R"([\h]+|\H)"), "beef g") == "(beef)|( )|(g)");
    CHECK(split(published(R"(\w+)"), "né_1 a١ ½") == "(né_1)| |(a١)| ½");
    CHECK(split(published(R"([\w']+|\W)"), "it's ok") == "(it's)|( )|(ok)");
    CHECK(split(published(R"([^\S\n]+)"), "a \u3000\nb") == "a|( \u3000)|\nb");
    CHECK(split(published("^a|b$"), "a\nab\na") == "(a)|\n|(a)|(b)|\n|(a)");
    CHECK(split(published("a{,2}x|y"), "aaax y") == "a|(aax)| |(y)");
    CHECK(split(published("(?m:a.)(?i:B)"), "a\nb a b") == "(a\nb)| |(a b)");
    CHECK(split(published("[[:digit:]]+[]x]"), "12]3x") == "(12])|(3x)");
    for (const char *unsayable : {"[a&&b]", "[a[^b]]"}) {
        const auto pattern = Pattern::expression(unsayable, ExpressionSyntax::Oniguruma);
        REQUIRE_FALSE(pattern.ok());
        CHECK(pattern.error().what.text().starts_with("the expression "));
    }
    CHECK(split(expression("[[a]+"), "x[a[") == "x|([a[)"); // PCRE2 has no nested sets
}

TEST_CASE("an empty match divides a text, and is no part of it") {
    CHECK(split(expression("x*"), "axxb中") == "a|(xx)|b|中");
    CHECK(split(expression("(?=b)"), "abab") == "a|ba|b");
}

TEST_CASE("what is no expression is refused, and says why") {
    for (const char *broken : {"(", "[a", "*", R"(\p{Nonsense})", "(?<a>x)(?<a>y)", R"(\C)"}) {
        const auto pattern = Pattern::expression(broken);
        REQUIRE_FALSE(pattern.ok());
        CHECK(pattern.error().what.text().find("is invalid") != std::string::npos);
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
            continue; // the library optimized it
        CHECK(matches.error().what.text().find("takes too long") != std::string::npos);
        CHECK_FALSE(matches.error().remedy.empty());
    }
    StopCheck stop{{}};
    CHECK_FALSE(expression("(a|a)*$").split(text, stop).ok());
}

TEST_CASE("searches that are short but for their number are stopped as well") {
    // Each further x doubles the steps, but no single match takes too long.
    std::string text;
    while (text.size() < 4'000'000)
        text += "xxxxxxxxxxxxxxxxxxc";
    StopCheck stop{{}};
    const auto matches = expression("(?:x+x+)+[yz]").split(text, stop);
    REQUIRE_FALSE(matches.ok());
    CHECK(matches.error().what.text().find("takes too long") != std::string::npos);
}

TEST_CASE("a place of a long text is found wherever it is") {
    for (const std::size_t before : {0u, 1022u, 1023u, 1024u, 1025u, 2049u, 50'000u})
        for (const char *fill : {"a", "é", "中"}) {
            std::string text;
            while (text.size() < before)
                text += fill;
            CHECK(split(expression("x+"), text + "xx" + fill) ==
                  text + (text.empty() ? "" : "|") + "(xx)|" + fill);
            CHECK(split(expression("(?<=x)é"), text + "xé") == text + "x|(é)");
        }
}

TEST_CASE("a search can be stopped") {
    std::stop_source source;
    source.request_stop();
    StopCheck stop{source.get_token()};
    CHECK_THROWS_AS((void)expression("a").split(std::string(10'000, 'a'), stop), Cancelled);
    CHECK_THROWS_AS((void)Pattern::literal("a").split(std::string(10'000, 'a'), stop), Cancelled);
}
