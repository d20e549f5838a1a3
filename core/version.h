// The version of Headlight.
#pragma once

#include <string_view>

namespace headlight::core {

/// For example "0.1.0", from CMakeLists.txt.
std::string_view version();

} // namespace headlight::core
