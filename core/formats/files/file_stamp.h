// Detects whether an open file was modified or replaced.
#pragma once

#include "core/tensor/number_storage.h"

#include <cstdint>
#include <string>

namespace headlight::core {

/// File identity and modification time. Touching a file changes its stamp, although only its
/// contents matter. Comparing the contents would require reading the whole file.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t seconds = 0; ///< modification time
    std::int64_t nanoseconds = 0;
    bool operator==(const FileStamp &) const = default;
};

/// Gets the stamp of an open file. Returns 0 or errno.
int stampOf(int descriptor, FileStamp &stamp);
/// Gets the stamp of the file at `path`. Follows links.
int stampAt(const std::string &path, FileStamp &stamp);

enum class FileChange {
    None,
    CutShort,
    Written,  ///< modified in place, or only touched
    Replaced, ///< another file has its name now, for example after a download
    Gone,     ///< deleted or moved
};

FileChange changeBetween(const FileStamp &before, const FileStamp &now);
/// Returns an error that describes the change and a remedy. The change must not be None.
Error changedFile(FileChange change, const std::string &path);
/// True if changedFile() returned the error, or if it contains such an error.
bool isChangedFile(const Error &error);

/// An open file with its stamp at the time of opening.
class StampedFile final : public NumberSource {
  public:
    StampedFile(std::string path, const FileStamp &stamp)
        : m_path(std::move(path)), m_stamp(stamp) {}

    const std::string &path() const override { return m_path; }
    const FileStamp &stamp() const { return m_stamp; }
    /// Returns None if the system cannot return a stamp, because reading will then report the
    /// error.
    FileChange change() const;
    Outcome check() const override;

  private:
    std::string m_path;
    FileStamp m_stamp;
};

} // namespace headlight::core
