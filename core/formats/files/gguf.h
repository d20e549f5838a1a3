// Recognises GGUF files, the format of llama.cpp, whatever their names.
#pragma once

#include "core/formats/files/file_descriptor.h"
#include "core/result.h"

#include <string>

namespace headlight::core {

bool startsLikeGguf(const FileDescriptor &file);
/// True for a regular file that starts with GGUF's magic number.
bool isGguf(const std::string &path);

/// Returns the error for a GGUF file that was opened as another format because of its name.
Error ggufUnderAnotherName(const std::string &path, const std::string &format);

/// Returns the first file in a folder whose name ends with .gguf; empty if there is none.
std::string ggufIn(const std::string &folder);

} // namespace headlight::core
