// Numbers as people type them, the same in every locale.
#pragma once

#include "core/result.h"

#include <string_view>

namespace headlight::core {

/// What may stand around a number, and between two.
inline constexpr std::string_view kNumberSpaces = " \t\r\n\v\f";

/// Without the spaces at both ends.
std::string_view withoutOuterSpaces(std::string_view text);

/// "0.5", "0,5", "−.5", "+1e-3", with spaces around it. Errors: not a number, more than one, not
/// finite, larger than 32 bits hold. One smaller than they hold is 0.
Result<float> parseNumber(std::string_view text);

} // namespace headlight::core
