// Converts *emphasis* and **strong** in a session's texts to HTML.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// Converts *emphasis* and **strong** to <em> and <strong> and escapes everything else. A star
/// stays a star if it has no partner, or if white space follows an opening star or precedes a
/// closing star.
std::string markedToHtml(std::string_view text);

} // namespace headlight::core
