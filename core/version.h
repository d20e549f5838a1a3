// Which Headlight this is.
#pragma once

#include <string_view>

namespace headlight::core {

/// "0.1.0", as in CMakeLists.txt.
std::string_view version();

} // namespace headlight::core
