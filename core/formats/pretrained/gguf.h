// GGUF, the files of llama.cpp: recognised, so that they are refused by their name.
#pragma once

#include "core/result.h"

#include <optional>
#include <string>

namespace headlight::core {

/// The refusal of a file that begins as GGUF does, whatever it is called; none for any other.
std::optional<Error> refusedGguf(const std::string &path);

/// The same of a folder's first file whose name ends with .gguf.
std::optional<Error> refusedGgufIn(const std::string &folder);

} // namespace headlight::core
