// Detects GGUF, the format of llama.cpp, to reject it by name.
#pragma once

#include "core/formats/files/file_descriptor.h"
#include "core/result.h"

#include <optional>
#include <string>

namespace headlight::core {

bool startsLikeGguf(const FileDescriptor &file);

/// Returns the error of a GGUF file that was read as another format because of its name.
Error ggufUnderAnotherName(const std::string &path, const std::string &format);

/// Returns an error if the file starts like GGUF, whatever its name; otherwise nullopt.
std::optional<Error> refusedGguf(const std::string &path);

/// The same for the first file in a folder whose name ends with .gguf.
std::optional<Error> refusedGgufIn(const std::string &folder);

} // namespace headlight::core
