// A summary of all parameters of a model.
#pragma once

#include "core/transformer/model/parameters.h"

#include <string_view>
#include <vector>

namespace headlight::core {

/// Returns the number of learned values. Shared and tied parameters are counted once.
Index parameterCount(const ModelParameters &weights);
/// Returns the number types that the parameters use: "F32", "F16", "BF16".
std::vector<std::string_view> numberTypesOf(const ModelParameters &weights);

} // namespace headlight::core
