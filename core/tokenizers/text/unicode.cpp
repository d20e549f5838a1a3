#include "core/tokenizers/text/unicode.h"

#include <algorithm>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>
#include <utility>
#include <vector>

namespace headlight::core {

namespace {

/// Real text never has more marks on one letter.
constexpr std::size_t kManyMarks = 64;
constexpr std::size_t kMaxCharacterBytes = 4;

bool hasManyMarks(const icu::UnicodeString &text, const icu::Normalizer2 &nfc) {
    std::size_t marks = 0;
    for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
        marks = nfc.getCombiningClass(text.char32At(at)) == 0 ? 0 : marks + 1;
        if (marks > kManyMarks)
            return true;
    }
    return false;
}

/// Returns the decomposition, with marks sorted by combining class (Unicode 15, definition D109).
/// Used instead of ICU for many marks, because ICU inserts them one by one, which takes quadratic
/// time.
icu::UnicodeString inOrder(const icu::UnicodeString &text, const icu::Normalizer2 &nfc) {
    icu::UnicodeString apart, piece;
    std::vector<std::pair<std::uint8_t, UChar32>> marks; // with combining class
    const auto putMarks = [&] {
        std::stable_sort(marks.begin(), marks.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        for (const auto &[order, mark] : marks)
            apart.append(mark);
        marks.clear();
    };
    for (int32_t at = 0; at < text.length(); at = text.moveIndex32(at, 1)) {
        const UChar32 whole = text.char32At(at);
        if (!nfc.getDecomposition(whole, piece))
            piece = icu::UnicodeString(whole);
        for (int32_t in = 0; in < piece.length(); in = piece.moveIndex32(in, 1)) {
            const UChar32 character = piece.char32At(in);
            if (const std::uint8_t order = nfc.getCombiningClass(character); order != 0) {
                marks.emplace_back(order, character);
            } else {
                putMarks();
                apart.append(character);
            }
        }
    }
    putMarks();
    return apart;
}

/// Normalizes to the form; returns the text unchanged if `form` is null.
std::string inForm(icu::UnicodeString text, const icu::Normalizer2 *form) {
    UErrorCode status = U_ZERO_ERROR;
    std::string out;
    if (!form) // ICU has no data; the unnormalized spelling still identifies the word
        return text.toUTF8String(out);
    if (hasManyMarks(text, *form))
        text = inOrder(text, *form);
    const icu::UnicodeString made = form->normalize(text, status);
    return (U_FAILURE(status) ? text : made).toUTF8String(out);
}

std::string toNfc(icu::UnicodeString text) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2 *nfc = icu::Normalizer2::getNFCInstance(status);
    return inForm(std::move(text), U_FAILURE(status) ? nullptr : nfc);
}

icu::UnicodeString fromUtf8(std::string_view text) {
    return icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
}

bool isOfWord(UChar32 character) {
    return (u_isalnum(character) || (U_GET_GC_MASK(character) & U_GC_M_MASK) != 0) &&
           !isUnspaced(static_cast<char32_t>(character));
}

} // namespace

bool isUnspaced(char32_t character) {
    UErrorCode status = U_ZERO_ERROR;
    switch (uscript_getScript(static_cast<UChar32>(character), &status)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
        return true;
    default:
        return false;
    }
}

bool beginsWithWord(std::string_view text) {
    if (text.empty())
        return false;
    UChar32 character = 0;
    int32_t at = 0;
    U8_NEXT_OR_FFFD(reinterpret_cast<const uint8_t *>(text.data()), at,
                    static_cast<int32_t>(std::min(text.size(), kMaxCharacterBytes)), character);
    return isOfWord(character);
}

bool endsWithWord(std::string_view text) {
    if (text.empty())
        return false;
    UChar32 character = 0;
    text = text.substr(text.size() - std::min(text.size(), kMaxCharacterBytes));
    auto at = static_cast<int32_t>(text.size());
    U8_PREV_OR_FFFD(reinterpret_cast<const uint8_t *>(text.data()), 0, at, character);
    return isOfWord(character);
}

std::string asUtf8(std::string text) {
    if (!firstInvalidByte(text))
        return text;
    std::string readable;
    const auto *bytes = reinterpret_cast<const uint8_t *>(text.data());
    const auto length = static_cast<int32_t>(text.size());
    for (int32_t at = 0; at < length;) {
        const int32_t start = at;
        UChar32 character = 0;
        U8_NEXT(bytes, at, length, character);
        if (character < 0)
            readable += "\uFFFD";
        else
            readable.append(text, static_cast<std::size_t>(start),
                            static_cast<std::size_t>(at - start));
    }
    return readable;
}

std::optional<std::size_t> firstInvalidByte(std::string_view text) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(text.data());
    const auto length = static_cast<int32_t>(text.size());
    for (int32_t at = 0; at < length;) {
        const int32_t start = at;
        UChar32 character = 0;
        U8_NEXT(bytes, at, length, character);
        if (character < 0)
            return static_cast<std::size_t>(start);
    }
    return std::nullopt;
}

std::string normalized(std::string_view text) {
    return toNfc(fromUtf8(text));
}

std::string normalizedAs(std::string_view text, const icu::Normalizer2 &form) {
    return inForm(fromUtf8(text), &form);
}

std::string foldCase(std::string_view text) {
    return toNfc(fromUtf8(text).foldCase());
}

} // namespace headlight::core
