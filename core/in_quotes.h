// Quotes names from files, so that they can be shown in messages safely.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight::core {

/// Many tensor names differ only at their ends, so messages show more characters of them.
inline constexpr std::size_t kTensorNameShown = 160;

/// Returns the text in double quotes, on one line. Replaces control characters with spaces, and
/// text beyond `most` characters with an ellipsis.
std::string inQuotes(std::string_view text, std::size_t most = 40);

} // namespace headlight::core
