#include "core/tokenizers/text/characters.h"

#include "core/tokenizers/text/piece.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>

namespace headlight::core {

namespace {

bool isOfCategory(char32_t character, std::uint32_t categories) {
    return (U_GET_GC_MASK(static_cast<UChar32>(character)) & categories) != 0;
}

} // namespace

bool isWhiteSpace(char32_t character) {
    return u_isUWhiteSpace(static_cast<UChar32>(character)) != 0;
}

bool isPunctuation(char32_t character) {
    const bool isAsciiSign =
        (character >= '!' && character <= '/') || (character >= ':' && character <= '@') ||
        (character >= '[' && character <= '`') || (character >= '{' && character <= '~');
    return isAsciiSign || isOfCategory(character, U_GC_P_MASK);
}

bool isDigit(char32_t character) {
    return isOfCategory(character, U_GC_N_MASK);
}

bool isMark(char32_t character) {
    return isOfCategory(character, U_GC_M_MASK);
}

bool isNonspacingMark(char32_t character) {
    return isOfCategory(character, U_GC_MN_MASK);
}

bool isControl(char32_t character) {
    if (character == '\t' || character == '\n' || character == '\r')
        return false;
    return isOfCategory(character, U_GC_C_MASK);
}

bool isWordCharacter(char32_t character) {
    return u_hasBinaryProperty(static_cast<UChar32>(character), UCHAR_ALPHABETIC) ||
           isOfCategory(character, U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK);
}

std::optional<int> scriptOf(char32_t character) {
    constexpr char32_t prolongedSound = 0x30FC; // belongs to both kana scripts
    UErrorCode status = U_ZERO_ERROR;
    const UScriptCode script = uscript_getScript(static_cast<UChar32>(character), &status);
    if (character == ' ' || U_FAILURE(status) || script == USCRIPT_UNKNOWN)
        return std::nullopt;
    if (character == prolongedSound || script == USCRIPT_HIRAGANA || script == USCRIPT_KATAKANA)
        return USCRIPT_HAN;
    return script;
}

bool isChinese(char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
           (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
           (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

std::string lowerCase(char32_t character) {
    std::string text;
    if (character < 0x80) {
        text +=
            static_cast<char>(character >= 'A' && character <= 'Z' ? character + 32 : character);
        return text;
    }
    icu::UnicodeString(static_cast<UChar32>(character))
        .toLower(icu::Locale::getRoot())
        .toUTF8String(text);
    return text;
}

} // namespace headlight::core
