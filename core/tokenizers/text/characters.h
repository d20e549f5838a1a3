// What kind of character one is, as the tokenizers of Hugging Face's library ask it.
#pragma once

#include <optional>
#include <string>

namespace headlight::core {

bool isWhiteSpace(char32_t character);     ///< Unicode's White_Space
bool isPunctuation(char32_t character);    ///< P*, and ASCII's signs that Unicode counts as symbols
bool isDigit(char32_t character);          ///< N*
bool isMark(char32_t character);           ///< M*: stands on another character
bool isNonspacingMark(char32_t character); ///< Mn
/// Cc, Cf, Cn, Co, Cs, but no tab and no end of a line.
bool isControl(char32_t character);
bool isWordCharacter(char32_t character); ///< \w: alphabetic, marks, digits, connectors
/// A number for its script (Unicode Standard Annex 24), one for both kinds of kana and Han; none of
/// a space and of what is no character.
std::optional<int> scriptOf(char32_t character);
/// In one of the blocks of Chinese characters that BERT takes one by one.
bool isChinese(char32_t character);
/// In lower case, whatever stands beside it; may be several characters.
std::string lowerCase(char32_t character);

} // namespace headlight::core
