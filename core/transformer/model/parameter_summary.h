// What can be said of all parameters of a model together.
#pragma once

#include "core/transformer/model/parameters.h"

#include <string_view>
#include <vector>

namespace headlight::core {

/// How many numbers there are to be learned. What is shared or tied counts once.
Index parameterCount(const ModelParameters &weights);
/// "F32", "F16", "BF16": each that a parameter is stored in.
std::vector<std::string_view> numberTypesOf(const ModelParameters &weights);

} // namespace headlight::core
