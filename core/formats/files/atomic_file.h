// A file that is written whole or not at all.
#pragma once

#include "core/formats/files/file_descriptor.h"
#include "core/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace headlight::core {

/// What may stand under the name: a pipe that nobody reads would be waited for without an end.
enum class OverwritePolicy { Anything, RegularFile };

/// Writes into a temporary file in the same folder and renames it over `path` on commit(); without
/// a commit nothing has happened. A symbolic link stays one: its target is replaced. An existing
/// file keeps its permissions and refuses if it is read-only. A pipe or device is written directly.
///
/// Where the file system can, the temporary file has no name until it is committed: a program that
/// is killed leaves nothing. What one has left elsewhere goes when the next file is written there.
class AtomicFile {
  public:
    enum class Temporary { Nameless, Named };
    /// Errors say what the system said, with the path and what to do. Nameless is a wish.
    static Result<AtomicFile> open(const std::string &path,
                                   Temporary temporary = Temporary::Nameless,
                                   OverwritePolicy replaces = OverwritePolicy::Anything);
    AtomicFile(AtomicFile &&other) noexcept;
    AtomicFile &operator=(AtomicFile &&) = delete;
    ~AtomicFile();

    Outcome write(std::string_view bytes);
    /// After this the file stands under its name, safe on the disk. Nothing may be written any
    /// more. After a write that failed: its error, and nothing has happened.
    Outcome commit();

    /// For a program that is about to end at once: removes every temporary file that has not been
    /// committed, and lets nobody begin another. From any thread.
    static void abandonAll();

  private:
    AtomicFile() = default;
    bool createTemporary(Temporary temporary);
    Outcome putInPlace();

    std::string m_path;             // as it was given, for errors
    std::string m_target;           // what is replaced, behind symbolic links; none: a device
    std::string m_temporary;        // its name, while it has one
    std::optional<Error> m_failure; // of a write: what is there is not whole, and is not committed
    FileDescriptor m_file;
};

/// All of a file at once, as AtomicFile does it.
Outcome writeFile(const std::string &path, std::string_view bytes,
                  OverwritePolicy replaces = OverwritePolicy::Anything);

} // namespace headlight::core
