// Makes names from files safe to show in messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight::core {

/// Tensor names are distinguished by their ends, so messages show more of them.
inline constexpr std::size_t kTensorNameShown = 160;

/// Returns the text in double quotes and on one line. Control characters become spaces, and the
/// text after `most` characters becomes an ellipsis.
std::string inQuotes(std::string_view text, std::size_t most = 40);

} // namespace headlight::core
