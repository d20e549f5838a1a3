// Character classes as defined by Hugging Face's tokenizers library.
#pragma once

#include <optional>
#include <string>

namespace headlight::core {

bool isWhiteSpace(char32_t character);     ///< Unicode's White_Space
bool isPunctuation(char32_t character);    ///< P*, and ASCII symbols such as $ and +
bool isDigit(char32_t character);          ///< N*
bool isMark(char32_t character);           ///< M*: combines with another character
bool isNonspacingMark(char32_t character); ///< Mn
/// Cc, Cf, Cn, Co, Cs, except tab and line breaks.
bool isControl(char32_t character);
bool isWordCharacter(char32_t character); ///< \w: alphabetic, marks, digits, connectors
/// Returns a number for the script (Unicode Standard Annex 24). Hiragana, Katakana and Han share
/// one number. Returns nullopt for spaces and invalid characters.
std::optional<int> scriptOf(char32_t character);
/// True if in a block of Chinese characters that BERT isolates.
bool isChinese(char32_t character);
/// Returns the lower-case form regardless of context, which may have several characters.
std::string lowerCase(char32_t character);

} // namespace headlight::core
