// Names out of files, made fit for a message.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headlight::core {

/// Of a tensor's name the end says which one it is.
inline constexpr std::size_t kTensorNameShown = 160;

/// In double quotes, on one line, and no longer than a person would read: control characters become
/// spaces, what is beyond `most` characters an ellipsis.
std::string inQuotes(std::string_view text, std::size_t most = 40);

} // namespace headlight::core
