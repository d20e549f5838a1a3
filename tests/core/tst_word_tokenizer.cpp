#include "core/tokenizers/word_tokenizer.h"
#include "core_test.h"

using Words = std::vector<std::string>;

namespace {

Words wordsOf(std::string_view text) {
    const auto result = splitIntoWords(text);
    REQUIRE_MESSAGE(result.ok(), std::string(text));
    for (const Token &token : *result) { // the span of each token covers its text
        REQUIRE(token.span.has_value());
        const auto begin = static_cast<std::size_t>(token.span->begin);
        CHECK(text.substr(begin, static_cast<std::size_t>(token.span->end) - begin) == token.text);
        CHECK_FALSE(token.id.has_value());
    }
    return textsOf(*result);
}

std::string errorOf(std::string_view text) {
    const auto result = splitIntoWords(text);
    return result.ok() ? "no error" : result.error().text();
}

} // namespace

TEST_CASE("English, with punctuation as separate tokens") {
    CHECK(
        wordsOf("She visited the money bank, near the river bank.") ==
        Words{"She", "visited", "the", "money", "bank", ",", "near", "the", "river", "bank", "."});
    CHECK(wordsOf("Wait... what?!") == Words{"Wait", ".", ".", ".", "what", "?", "!"});
    CHECK(wordsOf("(don't)") == Words{"(", "don't", ")"});
    CHECK(wordsOf("well-known") == Words{"well", "-", "known"});
    CHECK(wordsOf("a\tb\n\nc\r\nd\u00a0e\u3000f") == Words{"a", "b", "c", "d", "e", "f"});
}

TEST_CASE("numbers stay whole") {
    CHECK(wordsOf("pi is 3.14, not 3,141") == Words{"pi", "is", "3.14", ",", "not", "3,141"});
}

TEST_CASE("German and French") {
    CHECK(wordsOf("Straße über Öl") == Words{"Straße", "über", "Öl"});
    CHECK(wordsOf("L'amour, c’est l’été.") == Words{"L'amour", ",", "c’est", "l’été", "."});
}

TEST_CASE("scripts without spaces") {
    CHECK(wordsOf("我爱北京。") == Words{"我", "爱", "北京", "。"});
    const Words japanese = wordsOf("私は銀行に行きます");
    CHECK(japanese.size() > 2);
    CHECK(japanese.size() < 9);
    const Words thai = wordsOf("ฉันรักภาษาไทย");
    CHECK(thai == Words{"ฉัน", "รัก", "ภาษา", "ไทย"});
}

TEST_CASE("scripts from right to left") {
    CHECK(wordsOf("مرحبا بالعالم!") == Words{"مرحبا", "بالعالم", "!"});
    CHECK(wordsOf("שלום עולם.") == Words{"שלום", "עולם", "."});
    CHECK(wordsOf("צה\"ל") == Words{"צה\"ל"});
}

TEST_CASE("an emoji is one token, however many code points it takes") {
    CHECK(wordsOf("👩‍🚀 👍🏽 👨‍👩‍👧‍👦 🇩🇪 1️⃣") ==
          Words{"👩‍🚀", "👍🏽", "👨‍👩‍👧‍👦", "🇩🇪", "1️⃣"});
}

TEST_CASE("combining marks stay with their letter") {
    CHECK(wordsOf("cafe\u0301 na\u0308h") == Words{"cafe\u0301", "na\u0308h"});
    CHECK(wordsOf("हिन्दी") == Words{"हिन्दी"});
}

TEST_CASE("invisible characters are not words") {
    CHECK(errorOf("\u200d\u200d") ==
          "text: it contains no words; type at least one word or symbol");
    CHECK(errorOf("\ufeff") == errorOf(""));
    CHECK(errorOf("\u200b \u2060") == errorOf(""));
    CHECK(errorOf("\ufe0f") == errorOf(""));
    CHECK(errorOf("\u0301") == errorOf("")); // a combining mark without a base
    CHECK(errorOf("") == "text: it contains no words; type at least one word or symbol");
    CHECK(errorOf("  \t\n ") == errorOf(""));
    CHECK(errorOf(std::string_view("\0\x01\x7f", 3)) == errorOf(""));
    CHECK(wordsOf("\ufeffa") == Words{"a"});
}

TEST_CASE("invalid UTF-8 is named with its byte") {
    CHECK(errorOf("abc\xff") == "text: it is not valid UTF-8 at byte 3; save or type it as UTF-8");
    CHECK(errorOf("\xc3").find("byte 0") != std::string::npos);
    CHECK(errorOf("é\xed\xa0\x80").find("byte 2") != std::string::npos);      // a surrogate
    CHECK(errorOf("a\xc0\xaf").find("byte 1") != std::string::npos);          // an overlong slash
    CHECK(errorOf("ab\xf4\x90\x80\x80").find("byte 2") != std::string::npos); // beyond U+10FFFF
    CHECK(errorOf("ab\xe2\x82").find("byte 2") != std::string::npos);         // cut short
}

TEST_CASE("padding is one token at any position") {
    CHECK(wordsOf("a [PAD] b[PAD][PAD]") == Words{"a", "[PAD]", "b", "[PAD]", "[PAD]"});
    CHECK(wordsOf("[PAD") == Words{"[", "PAD"});
    CHECK(wordsOf("[PAD]") == Words{"[PAD]"});
}

TEST_CASE("long texts") {
    std::string text;
    for (int i = 0; i < 10000; ++i)
        text += "word ";
    CHECK(wordsOf(text).size() == 10000);
    CHECK(wordsOf(std::string(100000, 'x')).size() == 1);
    CHECK(errorOf(std::string(kMaxTextBytes + 1, 'x')) ==
          "text: it is longer than 4194304 bytes; use a shorter text");
}

TEST_CASE("every token has its position, in bytes") {
    const auto spansOf = [](std::string_view text) {
        std::vector<std::pair<Index, Index>> spans;
        const auto tokens = splitIntoWords(text);
        for (const Token &token : *tokens)
            spans.emplace_back(token.span->begin, token.span->end);
        return spans;
    };
    using Spans = std::vector<std::pair<Index, Index>>;
    CHECK(spansOf(" a  bc.") == Spans{{1, 2}, {4, 6}, {6, 7}});
    CHECK(spansOf("Öl 水 \U0001F3E6") == Spans{{0, 3}, {4, 7}, {8, 12}});
    CHECK(spansOf("é [PAD]é\u200b[PAD] x") == Spans{{0, 2}, {3, 8}, {8, 10}, {13, 18}, {19, 20}});
}
