// By what a file that stays open is known to be the one that was opened: nobody has written it
// since, and no other stands in its place.
#pragma once

#include "core/tensor/number_storage.h"

#include <cstdint>
#include <string>

namespace headlight::core {

/// What the system says of a file. A file that was only touched has another stamp: to know better,
/// all of it would have to be read.
struct FileStamp {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    std::int64_t seconds = 0; ///< when it was written last
    std::int64_t nanoseconds = 0;
    bool operator==(const FileStamp &) const = default;
};

/// Of an open file; errno where the system does not say it.
int stampOf(int descriptor, FileStamp &stamp);
/// Of what stands under the path now, behind symbolic links.
int stampAt(const std::string &path, FileStamp &stamp);

enum class FileChange {
    None,
    CutShort,
    Written,  ///< in place, or just touched
    Replaced, ///< another file stands under the name, as an editor or a download leaves it
    Gone,     ///< deleted, or moved
};

FileChange changeBetween(const FileStamp &before, const FileStamp &now);
/// Says of the file what happened, and what to do. The change is not None.
Error changedFile(FileChange change, const std::string &path);
/// Whether an error, or what it goes on to explain, is that.
bool isChangedFile(const Error &error);

/// A file as it was when it was opened.
class StampedFile final : public NumberSource {
  public:
    StampedFile(std::string path, const FileStamp &stamp)
        : m_path(std::move(path)), m_stamp(stamp) {}

    const std::string &path() const override { return m_path; }
    const FileStamp &stamp() const { return m_stamp; }
    /// Where the system does not say how the file is, nothing is wrong yet: reading will say it.
    FileChange change() const;
    Outcome check() const override;

  private:
    std::string m_path;
    FileStamp m_stamp;
};

} // namespace headlight::core
