// Writes the input of a run to a file, for readers that take a path.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace headlight::core {

/// Returns the same path each time, with the extension of the first call. The file is deleted at
/// exit.
inline const std::string &bytesAsFile(const std::uint8_t *data, std::size_t size,
                                      const std::string &ending = {}) {
    static const std::string path = "/tmp/headlight-fuzz-" + std::to_string(getpid()) + ending;
    static const int atEnd = std::atexit([] { unlink(path.c_str()); });
    static_cast<void>(atEnd);
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    return path;
}

} // namespace headlight::core
