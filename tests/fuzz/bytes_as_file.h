// The bytes of a run as a file, for readers that are given a path.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unistd.h>

namespace headlight::core {

/// The same file each time, with the ending that was asked for first; it goes with the program.
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
