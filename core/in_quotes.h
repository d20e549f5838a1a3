// Names out of files, made fit for a message.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// In double quotes, on one line, and no longer than a person would read: control characters become
/// spaces, what is beyond 40 characters an ellipsis.
std::string inQuotes(std::string_view text);

} // namespace headlight::core
