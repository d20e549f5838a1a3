// *emphasis* and **strong** in texts of a session.
#pragma once

#include <string>
#include <string_view>

namespace headlight::core {

/// *emphasis* and **strong** as <em> and <strong>, everything else escaped. A star with white space
/// inside it, or without a partner, is a star.
std::string markedToHtml(std::string_view text);

} // namespace headlight::core
