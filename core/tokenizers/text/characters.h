// Character classes as defined by Hugging Face's tokenizers library.
#pragma once

#include <optional>
#include <string>

namespace headlight::core {

bool isWhiteSpace(char32_t character);     ///< Unicode property White_Space
bool isPunctuation(char32_t character);    ///< categories P*, and ASCII symbols such as $ and +
bool isDigit(char32_t character);          ///< categories N*
bool isMark(char32_t character);           ///< categories M*: combines with another character
bool isNonspacingMark(char32_t character); ///< category Mn
/// Categories Cc, Cf, Cn, Co, Cs, except tab and line breaks.
bool isControl(char32_t character);
bool isWordCharacter(char32_t character); ///< \w: alphabetic, marks, digits, connectors
/// Returns a number for the script (Unicode Standard Annex 24), which is the same for Hiragana,
/// Katakana and Han. Returns nullopt for spaces and invalid characters.
std::optional<int> scriptOf(char32_t character);
/// True for the blocks of Chinese characters that BERT separates.
bool isChinese(char32_t character);
/// Returns the lower-case form, which may have several characters. Ignores the context.
std::string lowerCase(char32_t character);

} // namespace headlight::core
