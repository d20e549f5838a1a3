// How pre-tokenizers split a text for the token model. Also tests GPT-2's byte alphabet, and that
// searches for patterns always end.
#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "core/tokenizers/text/byte_alphabet.h"
#include "core/tokenizers/text/pattern.h"
#include "core/tokenizers/text/piece.h"
#include "core_test.h"
#include "pieces.h"

namespace {

std::vector<TextPiece> cut(const PreTokenizerPointer &preTokenizer, std::string_view text) {
    REQUIRE(preTokenizer);
    StopCheck stop{{}};
    auto pieces = valueOf(preTokenizer->split(pieceOf(text), stop));
    for (const TextPiece &piece : pieces)
        CHECK_FALSE(piece.empty());
    return pieces;
}

Texts textsAfter(const PreTokenizerPointer &preTokenizer, std::string_view text) {
    return headlight::core::test::textsOf(cut(preTokenizer, text));
}

Texts bySpace(SplitBehavior behavior, std::string_view text) {
    return textsAfter(splitPreTokenizer(Pattern::literal(" "), behavior, false), text);
}

} // namespace

TEST_CASE("the five behaviours") {
    // The examples in the library's documentation, with - as the separator.
    const auto at = [](SplitBehavior behavior) {
        return textsAfter(splitPreTokenizer(Pattern::literal("-"), behavior, false),
                          "the-final--countdown");
    };
    CHECK(at(SplitBehavior::Removed) == Texts{"the", "final", "countdown"});
    CHECK(at(SplitBehavior::Isolated) == Texts{"the", "-", "final", "-", "-", "countdown"});
    CHECK(at(SplitBehavior::MergedWithPrevious) == Texts{"the-", "final-", "-", "countdown"});
    CHECK(at(SplitBehavior::MergedWithNext) == Texts{"the", "-final", "-", "-countdown"});
    CHECK(at(SplitBehavior::Contiguous) == Texts{"the", "-", "final", "--", "countdown"});
    CHECK(bySpace(SplitBehavior::MergedWithPrevious, " a") == Texts{" ", "a"});
    CHECK(bySpace(SplitBehavior::MergedWithNext, "a ") == Texts{"a", " "});
    CHECK(bySpace(SplitBehavior::Removed, "").empty());
}

TEST_CASE("what does not match, inverted") {
    auto words = valueOf(Pattern::expression("[a-z]+"));
    CHECK(textsAfter(splitPreTokenizer(words, SplitBehavior::Removed, true), "ab 12 cd") ==
          Texts{"ab", "cd"});
}

TEST_CASE("BERT's, white space, digits, punctuation, a delimiter") {
    CHECK(textsAfter(bertPreTokenizer(), "Hey, you!  中$") ==
          Texts{"Hey", ",", "you", "!", "中", "$"});
    CHECK(textsAfter(whitespacePreTokenizer(), "Hey, naïve!! x_1") ==
          Texts{"Hey", ",", "naïve", "!!", "x_1"});
    CHECK(textsAfter(whitespaceSplitPreTokenizer(), " a,b\u3000c ") == Texts{"a,b", "c"});
    // The library's own test cases.
    CHECK(textsAfter(scriptsPreTokenizer(), "どこで生れ。Yes") == Texts{"どこで生れ", "。", "Yes"});
    CHECK(textsAfter(scriptsPreTokenizer(), "Apples are りんご 林檎") ==
          Texts{"Apples are ", "りんご 林檎"});
    CHECK(textsAfter(scriptsPreTokenizer(), "  グラスー漢, 1") == Texts{"グラスー漢", ", 1"});
    CHECK(textsAfter(scriptsPreTokenizer(), "  ").empty());
    CHECK(textsAfter(fixedLengthPreTokenizer(5), "Hello world") == Texts{"Hello", " worl", "d"});
    CHECK(textsAfter(fixedLengthPreTokenizer(3), "Hello 👋 world") ==
          Texts{"Hel", "lo ", "👋 w", "orl", "d"});
    CHECK(textsAfter(fixedLengthPreTokenizer(3), "").empty());
    CHECK(textsAfter(digitsPreTokenizer(true), "a12½") == Texts{"a", "1", "2", "½"});
    CHECK(textsAfter(digitsPreTokenizer(false), "a12b") == Texts{"a", "12", "b"});
    CHECK(textsAfter(punctuationPreTokenizer(SplitBehavior::Isolated), "a?!。") ==
          Texts{"a", "?", "!", "。"});
    CHECK(textsAfter(delimiterPreTokenizer(U'·'), "a·b··c") == Texts{"a", "b", "c"});
}

TEST_CASE("bytes, and their origins") {
    const std::string text = "Hi dé  x";
    const std::vector<TextPiece> pieces = cut(byteLevelPreTokenizer(false, true), text);
    CHECK(headlight::core::test::textsOf(pieces) == Texts{"Hi", "ĠdÃ©", "Ġ", "Ġx"});
    CHECK(sourceOf(pieces[1], text) == " dé");
    CHECK(textsAfter(byteLevelPreTokenizer(true, true), "Hi") == Texts{"ĠHi"});
    CHECK(textsAfter(byteLevelPreTokenizer(true, true), " Hi") == Texts{"ĠHi"});
    CHECK(textsAfter(byteLevelPreTokenizer(false, false), "a b") == Texts{"aĠb"});
    CHECK(textsAfter(byteLevelPreTokenizer(true, true), "").empty());
}

TEST_CASE("a visible space") {
    CHECK(textsAfter(metaspacePreTokenizer({}), "Hey  you") == Texts{"▁Hey", "▁", "▁you"});
    CHECK(textsAfter(metaspacePreTokenizer({.prepend = PrependScheme::Never}), "Hey you") ==
          Texts{"Hey", "▁you"});
    CHECK(textsAfter(metaspacePreTokenizer({.splits = false}), "a b") == Texts{"▁a▁b"});
    CHECK(textsAfter(metaspacePreTokenizer({}), " a") == Texts{"▁a"});
    // Only a piece at the start of the text counts as first.
    const auto first = metaspacePreTokenizer({.prepend = PrependScheme::First});
    StopCheck stop{{}};
    const TextPiece whole = pieceOf("ab cd");
    CHECK(headlight::core::test::textsOf(*first->split(whole.part(0, 2), stop)) == Texts{"▁ab"});
    CHECK(headlight::core::test::textsOf(*first->split(whole.part(3, 5), stop)) == Texts{"cd"});
}

TEST_CASE("pre-tokenizers in sequence") {
    const auto both = sequenceOf(
        std::vector<PreTokenizerPointer>{whitespaceSplitPreTokenizer(), digitsPreTokenizer(true)});
    CHECK(textsAfter(both, "ab12 3") == Texts{"ab", "1", "2", "3"});
    CHECK(textsAfter(sequenceOf(std::vector<PreTokenizerPointer>{}), "a b") == Texts{"a b"});
}

TEST_CASE("each byte maps to its own visible character and back") {
    std::set<std::string> characters;
    for (int byte = 0; byte < 256; ++byte) {
        const std::string &text = characterOfByte(static_cast<unsigned char>(byte));
        characters.insert(text);
        const Character character = characterAt(text, 0);
        CHECK(character.size == text.size());
        CHECK(byteOfCharacter(character.code) == static_cast<unsigned char>(byte));
    }
    CHECK(characters.size() == 256);
    CHECK(characterOfByte('A') == "A");
    CHECK(characterOfByte(' ') == "Ġ");
    CHECK(characterOfByte('\n') == "Ċ");
    CHECK_FALSE(byteOfCharacter(U' '));
    CHECK_FALSE(byteOfCharacter(U'中'));
}

namespace {

/// Returns the pieces as "a|b|c", with matches in ( ).
std::string split(const Pattern &pattern, std::string_view text) {
    StopCheck stop{{}};
    const auto matches = valueOf(pattern.split(text, stop));
    std::string shown;
    std::size_t end = 0;
    for (const Match &match : matches) {
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
    return valueOf(Pattern::expression(text));
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

TEST_CASE("expressions in Oniguruma's syntax") {
    const auto published = [](std::string_view text) {
        return valueOf(Pattern::expression(text, ExpressionSyntax::Oniguruma));
    };
    // A bracket expression within another one extends it, as in BLOOM's pattern.
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
    // The split pattern of o200k, the encoding that GPT-OSS uses.
    constexpr std::string_view kO200k =
        R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
        R"((?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+)"
        R"([\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}|)"
        R"( ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    CHECK(split(published(kO200k), "HelloWorld'S don't 12345 !?/\n x") ==
          "(Hello)|(World'S)|( don't)|( )|(123)|(45)|( !?/\n)|( x)");
    CHECK(split(published("[[:digit:]]+[]x]"), "12]3x") == "(12])|(3x)");
    for (const char *unsayable : {"[a&&b]", "[a[^b]]"}) {
        const auto pattern = Pattern::expression(unsayable, ExpressionSyntax::Oniguruma);
        REQUIRE_FALSE(pattern.ok());
        CHECK(pattern.error().what.text().starts_with("the expression "));
    }
    CHECK(split(expression("[[a]+"), "x[a[") == "x|([a[)"); // PCRE2 has no nested sets
}

TEST_CASE("an empty match divides a text, and is not part of it") {
    CHECK(split(expression("x*"), "axxb中") == "a|(xx)|b|中");
    CHECK(split(expression("(?=b)"), "abab") == "a|ba|b");
}

TEST_CASE("invalid expressions are refused with a reason") {
    for (const char *broken : {"(", "[a", "*", R"(\p{Nonsense})", "(?<a>x)(?<a>y)", R"(\C)"}) {
        const auto pattern = Pattern::expression(broken);
        REQUIRE_FALSE(pattern.ok());
        CHECK(pattern.error().what.text().find("is invalid") != std::string::npos);
    }
    CHECK_FALSE(Pattern::expression(std::string(20'000, 'a')).ok());
}

TEST_CASE("a pattern that is designed to hang is stopped") {
    const std::string text = std::string(5000, 'a') + "!";
    for (const char *cruel : {"(a+)+$", "(a|a)*$", "(.*)*x", "(a|aa)+$"}) {
        const Pattern pattern = expression(cruel);
        StopCheck stop{{}};
        const auto matches = pattern.split(text, stop);
        if (matches)
            continue; // PCRE2 optimizes this pattern, so it is fast
        CHECK(matches.error().what.text().find("takes too long") != std::string::npos);
        CHECK_FALSE(matches.error().remedy.empty());
    }
    StopCheck stop{{}};
    CHECK_FALSE(expression("(a|a)*$").split(text, stop).ok());
}

TEST_CASE("a large number of short searches is stopped as well") {
    // Each further x doubles the steps, but no single match takes too long.
    std::string text;
    while (text.size() < 4'000'000)
        text += "xxxxxxxxxxxxxxxxxxc";
    StopCheck stop{{}};
    const auto matches = expression("(?:x+x+)+[yz]").split(text, stop);
    REQUIRE_FALSE(matches.ok());
    CHECK(matches.error().what.text().find("takes too long") != std::string::npos);
}

TEST_CASE("matches in a long text are found at any position") {
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
