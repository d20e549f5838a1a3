// Numbers as people type and paste them, the same in every locale.
#pragma once

#include "core/result.h"

#include <string_view>
#include <vector>

namespace headlight::core {

/// "0.5", "0,5", "−.5", "+1e-3", with spaces around it. Errors: not a number, more than one, not
/// finite, larger than 32 bits hold. One smaller than they hold is 0.
Result<float> parseNumber(std::string_view text);

/// Larger texts are refused unread.
inline constexpr std::size_t kMaximumTableBytes = std::size_t(64) << 20;

/// A block of numbers, as spreadsheets and CSV files write it: rows of equal length, one a line.
/// Between columns stand tabs; else semicolons; else commas, unless no line has more than one and
/// there is no point, when they are decimal; else spaces. Errors name line and column, from 1.
Result<std::vector<std::vector<float>>> parseTable(std::string_view text);

} // namespace headlight::core
