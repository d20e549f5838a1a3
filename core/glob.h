// Shell-style wildcard patterns.
#pragma once

#include <string_view>

namespace headlight::core {

/// True if the pattern matches all of `text`. * matches any number of characters (including none,
/// and dots), ? matches one byte.
bool matchesGlob(std::string_view pattern, std::string_view text);

} // namespace headlight::core
