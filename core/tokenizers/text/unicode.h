// The few questions we ask of Unicode, answered by ICU. Outside of core/tokenizers, core sees it
// only through this header.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unicode/uversion.h>

U_NAMESPACE_BEGIN
class Normalizer2;
U_NAMESPACE_END

namespace headlight::core {

/// The offset of the first byte that is not part of well-formed UTF-8; none where all of it is.
std::optional<std::size_t> firstInvalidByte(std::string_view text);
/// What is not UTF-8 becomes U+FFFD, one for as many bytes as could have begun a character. Such as
/// the name of a file, as documents have it.
std::string asUtf8(std::string text);

/// Normalization form C.
std::string normalized(std::string_view text);

/// One of the four forms, in time that grows with the text, however many marks stand on a letter.
std::string normalizedAs(std::string_view text, const icu::Normalizer2 &form);

/// Full case folding, then normalization form C: the same for "Straße" and "STRASSE".
std::string foldCase(std::string_view text);

} // namespace headlight::core
