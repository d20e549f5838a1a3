// Merges a built-in lesson into the document of its trained model.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// Returns the id in the document's `model_of`; empty if it has its own model or is not a JSON
/// object. Call it only for built-in documents, so that a file from elsewhere never selects the
/// files to read.
std::string modelOf(std::string_view json);

/// Returns the session document `model` with its members overridden by those of `lesson`, without
/// `model_of`. Errors: one of them is not a JSON object.
Result<std::string> onModel(std::string_view lesson, std::string_view model);

} // namespace headlight::core
