// The version of Headlight.
#pragma once

#include <string_view>

namespace headlight::core {

/// Returns the version from CMakeLists.txt, such as "0.1.0".
std::string_view version();

} // namespace headlight::core
