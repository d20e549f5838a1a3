#include "core/tokenizers/word_tokenizer.h"

#include "core/cancelled.h"
#include "core/tokenizers/tokenizer.h"

#include <memory>
#include <unicode/brkiter.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

namespace headlight::core {

namespace {

/// True if the word has a visible character, not only spaces, controls, joiners and marks.
bool isVisible(const icu::UnicodeString &word) {
    for (int32_t at = 0; at < word.length(); at = word.moveIndex32(at, 1)) {
        const UChar32 character = word.char32At(at);
        const bool isMark = (U_GET_GC_MASK(character) & U_GC_M_MASK) != 0;
        if (!isMark && !u_isUWhiteSpace(character) && !u_iscntrl(character) &&
            !u_hasBinaryProperty(character, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
            return true;
    }
    return false;
}

/// Splits a text without "[PAD]". `offset`: its start in the whole text. Returns false if stopped.
bool splitSegment(std::string_view text, Index offset, icu::BreakIterator &words, StopCheck &stop,
                  std::vector<Token> &tokens) {
    const auto unicode =
        icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
    words.setText(unicode);
    int32_t start = words.first();
    for (int32_t end = words.next(); end != icu::BreakIterator::DONE;
         start = end, end = words.next()) {
        if (stop.requested())
            return false;
        const icu::UnicodeString word = unicode.tempSubStringBetween(start, end);
        std::string token;
        word.toUTF8String(token);
        const Index begin = offset;
        offset += std::ssize(token); // `text` is valid UTF-8, so the length is the same in it
        if (isVisible(word))
            tokens.push_back({std::move(token), std::nullopt, TextSpan{begin, offset}});
    }
    return true;
}

} // namespace

Result<std::vector<Token>> splitIntoWords(std::string_view text, std::stop_token stop) {
    if (stop.stop_requested())
        return cancelled();
    if (const Outcome good = checkText(text); !good)
        return good.error();
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> words(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    if (U_FAILURE(status))
        return Error{{"word boundaries are not available (%1)", u_errorName(status)},
                     "ICU",
                     "install ICU's data"};
    StopCheck check(std::move(stop));
    std::vector<Token> tokens;
    Index offset = 0;
    while (!text.empty()) {
        const std::size_t pad = text.find(kPadToken);
        const std::string_view segment = text.substr(0, pad);
        if (!splitSegment(segment, offset, *words, check, tokens))
            return cancelled();
        if (pad == std::string_view::npos)
            break;
        const Index begin = offset + std::ssize(segment);
        offset = begin + std::ssize(kPadToken);
        tokens.push_back({std::string(kPadToken), std::nullopt, TextSpan{begin, offset}});
        text.remove_prefix(pad + kPadToken.size());
    }
    if (tokens.empty())
        return Error{"it contains no words", "text", "type at least one word or symbol"};
    return tokens;
}

} // namespace headlight::core
