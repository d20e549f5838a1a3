// Writes the input of a run to a file, for readers that take a path.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <unistd.h>

namespace headlight::core {

/// Returns one path for each extension, because readers choose the format by the extension. The
/// files are deleted at exit.
inline const std::string &bytesAsFile(const std::uint8_t *data, std::size_t size,
                                      const std::string &ending = {}) {
    static std::map<std::string, std::string>
        paths; // one per extension, because a program may run many readers
    static const int atEnd = std::atexit([] {
        for (const auto &[of, path] : paths)
            unlink(path.c_str());
    });
    static_cast<void>(atEnd);
    const std::string &path =
        paths.try_emplace(ending, "/tmp/headlight-fuzz-" + std::to_string(getpid()) + ending)
            .first->second;
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    return path;
}

} // namespace headlight::core
