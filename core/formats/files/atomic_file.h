// A file that is written atomically.
#pragma once

#include "core/formats/files/file_descriptor.h"
#include "core/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

/// The existing files that may be overwritten. RegularFile excludes pipes, because opening one
/// without a reader would block forever.
enum class OverwritePolicy { Anything, RegularFile };

/// Writes to a temporary file in the same folder and renames it to `path` on commit(). Without a
/// commit, nothing changes. Replaces the target of a symbolic link. Keeps the permissions of an
/// existing file; fails if it is read-only. Writes directly to a pipe or device.
///
/// If the file system supports it, the temporary file has no name until the commit, so a killed
/// program leaves nothing behind. Otherwise the next write in the folder removes stale files.
class AtomicFile {
  public:
    enum class Temporary { Nameless, Named };
    /// Errors contain the system's message, the path and a remedy. Nameless is used only if the
    /// file system supports it.
    static Result<AtomicFile> open(const std::string &path,
                                   Temporary temporary = Temporary::Nameless,
                                   OverwritePolicy replaces = OverwritePolicy::Anything);
    AtomicFile(AtomicFile &&other) noexcept;
    AtomicFile &operator=(AtomicFile &&) = delete;
    ~AtomicFile();

    Outcome write(std::string_view bytes);
    /// Flushes the file to disk and gives it its name. No writes may follow. If an earlier write
    /// failed, returns its error and changes nothing.
    Outcome commit();

    /// Removes all uncommitted temporary files and prevents new ones. Call it when the program is
    /// about to exit. Thread-safe.
    static void abandonAll();

  private:
    AtomicFile() = default;
    bool createTemporary(Temporary temporary);
    Outcome putInPlace();

    std::string m_path;             // path as passed by the caller, for errors
    std::string m_target;           // the file to replace, after resolving links; empty: a device
    std::string m_temporary;        // name of the temporary file, if it has one
    std::optional<Error> m_failure; // error of a write, which prevents the commit
    FileDescriptor m_file;
};

/// Writes a complete file with AtomicFile.
Outcome writeFile(const std::string &path, std::string_view bytes,
                  OverwritePolicy replaces = OverwritePolicy::Anything);

} // namespace headlight::core
