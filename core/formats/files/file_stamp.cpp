#include "core/formats/files/file_stamp.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/stat.h>

namespace headlight::core {

namespace {

struct ChangeText {
    FileChange change;
    const char *what, *remedy;
};

constexpr std::array kChanges{
    ChangeText{FileChange::CutShort, "the file was truncated after it was opened",
               "restore the complete file and open it again"},
    ChangeText{FileChange::Written, "the file was changed after it was opened", "open it again"},
    ChangeText{FileChange::Replaced, "the file was replaced after it was opened", "open it again"},
    ChangeText{FileChange::Gone, "the file was deleted or moved after it was opened",
               "restore it, or open it at its new location"},
};

int stampFrom(int result, const struct stat &status, FileStamp &stamp) {
    if (result != 0)
        return errno;
    stamp = {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
             static_cast<std::uint64_t>(status.st_size),
             static_cast<std::int64_t>(status.st_mtim.tv_sec),
             static_cast<std::int64_t>(status.st_mtim.tv_nsec)};
    return 0;
}

bool saysChange(const Message &message) {
    const auto isIt = [&](const ChangeText &words) { return message.code() == words.what; };
    return (!message.isVerbatim() && std::ranges::any_of(kChanges, isIt)) ||
           std::ranges::any_of(message.arguments(), saysChange);
}

} // namespace

int stampOf(int descriptor, FileStamp &stamp) {
    struct stat status {};
    return stampFrom(::fstat(descriptor, &status), status, stamp);
}

int stampAt(const std::string &path, FileStamp &stamp) {
    struct stat status {};
    return stampFrom(::stat(path.c_str(), &status), status, stamp);
}

FileChange changeBetween(const FileStamp &before, const FileStamp &now) {
    if (now.device != before.device || now.inode != before.inode)
        return FileChange::Replaced;
    if (now.size < before.size)
        return FileChange::CutShort;
    return now == before ? FileChange::None : FileChange::Written;
}

Error changedFile(FileChange change, const std::string &path) {
    const ChangeText &words = *std::ranges::find(kChanges, change, &ChangeText::change);
    return {words.what, path, words.remedy};
}

bool isChangedFile(const Error &error) {
    return saysChange(error.what);
}

FileChange StampedFile::change() const {
    FileStamp now;
    switch (stampAt(m_path, now)) {
    case 0:
        return changeBetween(m_stamp, now);
    case ENOENT:
    case ENOTDIR:
        return FileChange::Gone;
    default:
        return FileChange::None;
    }
}

Outcome StampedFile::check() const {
    const FileChange now = change();
    if (now != FileChange::None)
        return changedFile(now, m_path);
    return Done{};
}

} // namespace headlight::core
