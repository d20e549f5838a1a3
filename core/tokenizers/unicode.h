// The few questions we ask of Unicode, answered by ICU. The only header through which the rest of
// core sees it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

/// The offset of the first byte that is not part of well-formed UTF-8; none where all of it is.
std::optional<std::size_t> firstInvalidByte(std::string_view text);

/// Normalization form C.
std::string normalized(std::string_view text);

/// Full case folding, then normalization form C: the same for "Straße" and "STRASSE".
std::string foldCase(std::string_view text);

} // namespace headlight::core
