// A built-in lesson that is about a model that learned here says its own part only.
#pragma once

#include "core/result.h"

#include <string>
#include <string_view>

namespace headlight::core {

/// The id of the model that a document is about, its `model_of`; empty: it has a model of its own,
/// or is no JSON object. Only documents that are compiled in may say so: a file from elsewhere
/// never decides what is read.
std::string modelOf(std::string_view json);

/// The session document `model` with the members of `lesson` in place of its own, without
/// `model_of`. Errors: either is no JSON object.
Result<std::string> onModel(std::string_view lesson, std::string_view model);

} // namespace headlight::core
