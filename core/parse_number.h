// Parses numbers that users type, independent of the locale.
#pragma once

#include "core/result.h"

#include <string_view>

namespace headlight::core {

/// Characters that may surround a number or separate numbers.
inline constexpr std::string_view kNumberSpaces = " \t\r\n\v\f";

/// Returns the text without leading and trailing spaces.
std::string_view withoutOuterSpaces(std::string_view text);

/// Parses "0.5", "0,5", "−.5" or "+1e-3", with optional spaces around it. Errors: not a number,
/// more than one number, not finite, too large for 32 bits. Values too small for 32 bits become 0.
Result<float> parseNumber(std::string_view text);

} // namespace headlight::core
