// Files that are read whole, and nothing that only looks like one: a pipe that nobody writes to
// would be waited for without an end.
#pragma once

#include "core/formats/files/file_descriptor.h"
#include "core/result.h"

#include <stop_token>
#include <string>

namespace headlight::core {

struct RegularFile {
    FileDescriptor descriptor; ///< for reading, at its beginning
    std::uint64_t size = 0;
};

/// Never waits. Errors: those of the system; it is a folder, a pipe or a device.
Result<RegularFile> openRegularFile(const std::string &path);

/// True if there is something of that name that is no folder. A pipe or a device counts, so that
/// openRegularFile() reports it.
bool isNoFolder(const std::string &path);

/// All its bytes; `tooLarge` where there are more than `limit`; "cancelled" (core/cancelled.h) once
/// `stop` is requested.
Result<std::string> readRegularFile(const std::string &path, std::uint64_t limit,
                                    const Error &tooLarge, const std::stop_token &stop = {});

} // namespace headlight::core
