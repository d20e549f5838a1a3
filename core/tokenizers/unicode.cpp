#include "core/tokenizers/unicode.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

namespace headlight::core {

namespace {

std::string toNfc(const icu::UnicodeString &text) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2 *nfc = icu::Normalizer2::getNFCInstance(status);
    std::string out;
    if (U_FAILURE(status)) // ICU without its data: the spelling as it is still names the word
        return text.toUTF8String(out);
    const icu::UnicodeString composed = nfc->normalize(text, status);
    return (U_FAILURE(status) ? text : composed).toUTF8String(out);
}

icu::UnicodeString fromUtf8(std::string_view text) {
    return icu::UnicodeString::fromUTF8({text.data(), static_cast<int32_t>(text.size())});
}

} // namespace

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

std::string foldCase(std::string_view text) {
    return toNfc(fromUtf8(text).foldCase());
}

} // namespace headlight::core
