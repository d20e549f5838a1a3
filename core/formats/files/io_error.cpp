#include "core/formats/files/io_error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace headlight::core {

namespace {

struct Known {
    int code;
    const char *what;
    const char *remedy;
};

// Used instead of strerror(), which depends on the user's locale and contains no remedy.
constexpr std::array kKnown{
    Known{ENOENT, "No such file or folder", "check the path"},
    Known{ENOTDIR, "A part of the path is not a folder", "check the path"},
    Known{EISDIR, "It is a folder", "give the path of a file"},
    Known{EACCES, "Permission denied", "choose another location or change its permissions"},
    Known{EPERM, "Operation not permitted", "choose another location"},
    Known{EROFS, "The file system is read-only", "choose another location"},
    Known{ENOSPC, "No space left on device", "free some space or choose another location"},
    Known{EDQUOT, "Disk quota exceeded", "free some space or choose another location"},
    Known{EFBIG, "The file would be too large for this system", "choose another location"},
    Known{ENAMETOOLONG, "The name is too long", "use a shorter name"},
    Known{ELOOP, "Too many symbolic links", "check the links on the path"},
    Known{EMFILE, "Too many open files", "close some and try again"},
    Known{ENFILE, "Too many open files in the system", "close some and try again"},
    Known{EPIPE, "The other end of the pipe was closed", ""},
    Known{EIO, "Input/output error", "check the disk"},
    Known{EBUSY, "It is in use", "try again later"},
    Known{ETXTBSY, "It is a running program", "choose another name"},
    Known{ENXIO, "Nothing listens at the other end", "start the reader first"},
    Known{ENOMEM, "Not enough memory", "close other programs"},
};

} // namespace

Error ioError(int code, const char *action, const std::string &path) {
    const auto known = std::find_if(kKnown.begin(), kKnown.end(),
                                    [code](const Known &entry) { return entry.code == code; });
    if (known == kKnown.end())
        return {{"%1: %2", action, std::generic_category().message(code)}, path, ""};
    return {{"%1: %2", action, known->what}, path, known->remedy};
}

} // namespace headlight::core
