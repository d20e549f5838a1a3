// Patterns as on a command line.
#pragma once

#include <string_view>

namespace headlight::core {

/// True where the whole of `text` fits: * stands for any characters, also none and also dots, ? for
/// one byte, anything else for itself.
bool matchesGlob(std::string_view pattern, std::string_view text);

} // namespace headlight::core
