// Opens and reads regular files only, because opening a pipe without a writer would block forever.
#pragma once

#include "core/formats/files/file_descriptor.h"
#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::core {

struct RegularFile {
    FileDescriptor descriptor; ///< open for reading, at the start of the file
    std::uint64_t size = 0;
};

/// Never blocks. Errors: system errors; a folder, pipe or device.
Result<RegularFile> openRegularFile(const std::string &path);

/// True if the path exists and is not a folder. Pipes and devices count, so that openRegularFile()
/// reports them.
bool isNoFolder(const std::string &path);

/// Reads the whole file. Returns `tooLarge` if it exceeds `limit` bytes; "cancelled"
/// (core/cancelled.h) once `stop` is requested.
Result<std::string> readRegularFile(const std::string &path, std::uint64_t limit,
                                    const Error &tooLarge, const std::stop_token &stop = {});

} // namespace headlight::core
