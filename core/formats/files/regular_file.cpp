#include "core/formats/files/regular_file.h"

#include "core/cancelled.h"
#include "core/formats/files/io_error.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/stat.h>

namespace headlight::core {

namespace {

constexpr const char *kCannotRead = "it cannot be read";
/// Returns the error text for a file that is not regular.
Message kindOf(mode_t mode) {
    if (S_ISFIFO(mode))
        return "it is a pipe (FIFO), not a file";
    if (S_ISSOCK(mode))
        return "it is a socket, not a file";
    return S_ISCHR(mode) || S_ISBLK(mode) ? "it is a device, not a file"
                                          : "it is not a regular file";
}

constexpr std::size_t kPiece = std::size_t(4) << 20; // bytes between two checks of the stop token

} // namespace

Result<RegularFile> openRegularFile(const std::string &path) {
    if (path.find('\0') != std::string::npos)
        return ioError(ENOENT, kCannotRead, path);
    // Without O_NONBLOCK, a pipe without a writer would block.
    RegularFile file{FileDescriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), 0};
    struct stat status {};
    if (!file.descriptor.isOpen() || ::fstat(file.descriptor.number(), &status) != 0)
        return ioError(errno, kCannotRead, path);
    if (S_ISDIR(status.st_mode))
        return ioError(EISDIR, kCannotRead, path);
    if (!S_ISREG(status.st_mode))
        return Error{kindOf(status.st_mode), path, "copy it to a file first"};
    file.size = static_cast<std::uint64_t>(status.st_size);
    return file;
}

bool isNoFolder(const std::string &path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode);
}

Result<std::string> readRegularFile(const std::string &path, std::uint64_t limit,
                                    const Error &tooLarge, const std::stop_token &stop) try {
    const Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return file.error();
    if (file->size > limit)
        return tooLarge;
    std::string bytes(static_cast<std::size_t>(file->size), '\0');
    for (std::size_t at = 0; at < bytes.size();) {
        if (stop.stop_requested())
            return cancelled();
        const ssize_t count = ::read(file->descriptor.number(), bytes.data() + at,
                                     std::min(kPiece, bytes.size() - at));
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return ioError(errno, kCannotRead, path);
        if (count == 0)
            return Error{"it cannot be read to its end", path, ""};
        at += static_cast<std::size_t>(count);
    }
    return bytes;
} catch (const std::bad_alloc &) {
    return ioError(ENOMEM, kCannotRead, path);
}

} // namespace headlight::core
