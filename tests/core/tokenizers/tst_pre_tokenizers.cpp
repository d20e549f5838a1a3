// Pre-tokenizers: how a text is split before the token model.
#include "core/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "pieces.h"

using namespace headlight::core;
using namespace headlight::core::test;

namespace {

std::vector<TextPiece> cut(const PreTokenizerPointer &preTokenizer, std::string_view text) {
    REQUIRE(preTokenizer);
    StopCheck stop{{}};
    auto pieces = preTokenizer->split(pieceOf(text), stop);
    REQUIRE(pieces.ok());
    for (const TextPiece &piece : *pieces)
        CHECK_FALSE(piece.empty());
    return std::move(*pieces);
}

Texts textsAfter(const PreTokenizerPointer &preTokenizer, std::string_view text) {
    return headlight::core::test::textsOf(cut(preTokenizer, text));
}

Texts bySpace(SplitBehavior behavior, std::string_view text) {
    return textsAfter(splitPreTokenizer(Pattern::literal(" "), behavior, false), text);
}

} // namespace

TEST_CASE("the five behaviours") {
    // The examples of the library's documentation, with - as the character.
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

TEST_CASE("what does not fit, inverted") {
    auto words = Pattern::expression("[a-z]+");
    REQUIRE(words.ok());
    CHECK(textsAfter(splitPreTokenizer(*words, SplitBehavior::Removed, true), "ab 12 cd") ==
          Texts{"ab", "cd"});
}

TEST_CASE("BERT's, white space, digits, punctuation, a delimiter") {
    CHECK(textsAfter(bertPreTokenizer(), "Hey, you!  中$") ==
          Texts{"Hey", ",", "you", "!", "中", "$"});
    CHECK(textsAfter(whitespacePreTokenizer(), "Hey, naïve!! x_1") ==
          Texts{"Hey", ",", "naïve", "!!", "x_1"});
    CHECK(textsAfter(whitespaceSplitPreTokenizer(), " a,b\u3000c ") == Texts{"a,b", "c"});
    // The library's own examples.
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

TEST_CASE("bytes, and where they are from") {
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

TEST_CASE("one after the other") {
    const auto both = sequenceOf(
        std::vector<PreTokenizerPointer>{whitespaceSplitPreTokenizer(), digitsPreTokenizer(true)});
    CHECK(textsAfter(both, "ab12 3") == Texts{"ab", "1", "2", "3"});
    CHECK(textsAfter(sequenceOf(std::vector<PreTokenizerPointer>{}), "a b") == Texts{"a b"});
}
