// Unicode functions, implemented with ICU. Outside core/tokenizers, core uses ICU only through this
// header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unicode/uversion.h>

U_NAMESPACE_BEGIN
class Normalizer2;
U_NAMESPACE_END

namespace headlight::core {

/// Returns the offset of the first byte that is not well-formed UTF-8; nullopt if there is none.
std::optional<std::size_t> firstInvalidByte(std::string_view text);
/// Replaces each invalid sequence, as in some file names, with U+FFFD. One U+FFFD replaces the
/// longest sequence of bytes that could start a character.
std::string asUtf8(std::string text);

/// Returns Normalization Form C.
std::string normalized(std::string_view text);

/// Normalizes to `form` in linear time, even if a letter has many marks.
std::string normalizedAs(std::string_view text, const icu::Normalizer2 &form);

/// True for the scripts that write words without spaces: Chinese and Japanese, Thai, Lao, Khmer and
/// Burmese.
bool isUnspaced(char32_t character);
/// True if the text starts with a letter, digit or mark of a script that separates words by spaces.
bool beginsWithWord(std::string_view text);
bool endsWithWord(std::string_view text);

/// Applies full case folding, then NFC, so that "Straße" and "STRASSE" are equal.
std::string foldCase(std::string_view text);

} // namespace headlight::core
