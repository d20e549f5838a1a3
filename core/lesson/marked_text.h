// *emphasis* and **strong** in the texts of a session.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// Converts *emphasis* and **strong** to <em> and <strong> and escapes everything else. A star next
/// to white space inside the mark or without a partner stays a star.
std::string markedToHtml(std::string_view text);

} // namespace headlight::core
