#include "core/formats/files/atomic_file.h"

#include "core/formats/files/io_error.h"
#include "core/formats/files/stale_temporary_files.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <set>
#include <sys/stat.h>

namespace headlight::core {

namespace {

constexpr const char *kCannotWrite = "it cannot be written";

/// Makes writing to a closed pipe fail with EPIPE instead of ending the program. Affects only this
/// thread.
class PipeSignalBlocker {
  public:
    PipeSignalBlocker() {
        sigemptyset(&m_pipe);
        sigaddset(&m_pipe, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        m_wasPending = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &m_pipe, &m_before);
    }
    PipeSignalBlocker(const PipeSignalBlocker &) = delete;
    PipeSignalBlocker &operator=(const PipeSignalBlocker &) = delete;
    ~PipeSignalBlocker() {
        const timespec now{};
        if (!m_wasPending)
            while (sigtimedwait(&m_pipe, nullptr, &now) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &m_before, nullptr);
    }

  private:
    sigset_t m_pipe;
    sigset_t m_before;
    bool m_wasPending;
};

/// Resolves symbolic links at the end of a path; nullopt (and errno) for a cycle.
std::optional<std::filesystem::path> behindLinks(std::filesystem::path path) {
    for (int links = 0; links < 40; ++links) {
        std::error_code error;
        const std::filesystem::path next = std::filesystem::read_symlink(path, error);
        if (error) // not a link, or it does not exist, which open() reports
            return path;
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    errno = ELOOP;
    return std::nullopt;
}

/// The temporary files that exist now.
struct Temporaries {
    std::mutex mutex;
    std::set<std::string> names;
    bool closed = false; // abandonAll() was called, so no new ones may be created
};

Temporaries &temporaries() {
    static auto *all = new Temporaries; // never destroyed, because it is used during exit
    return *all;
}

void forget(const std::string &name) {
    const std::lock_guard lock(temporaries().mutex);
    temporaries().names.erase(name);
}

/// Creates a file without a name in the folder of `target`. Fails if the file system does not
/// support nameless files, or if /proc, which nameIt() needs, is missing.
FileDescriptor createNameless(const std::filesystem::path &target) {
    if (::access("/proc/self/fd", X_OK) != 0)
        return {};
    const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
    return FileDescriptor(::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
}

/// Gives the file a unique temporary name. On failure, clears `name` and sets errno.
void nameIt(const FileDescriptor &file, const std::string &target, std::string &name) {
    std::string nameless = "/proc/self/fd/";
    nameless += std::to_string(file.number());
    for (int attempt = 0; attempt < 100; ++attempt) {
        name = temporaryNameBeside(target);
        if (::linkat(AT_FDCWD, nameless.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0)
            return;
        if (errno != EEXIST)
            break;
    }
    name.clear();
}

/// Flushes the folder, which makes the rename durable. Ignores errors, because some file systems do
/// not support this.
void syncFolder(const std::string &target) {
    std::string folder = std::filesystem::path(target).parent_path().string();
    if (folder.empty())
        folder = ".";
    const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.isOpen())
        ::fsync(file.number());
}

} // namespace

AtomicFile::AtomicFile(AtomicFile &&other) noexcept
    : m_path(std::move(other.m_path)),
      m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_file(std::move(other.m_file)) {}

AtomicFile::~AtomicFile() {
    if (m_temporary.empty())
        return;
    ::unlink(m_temporary.c_str());
    forget(m_temporary);
}

void AtomicFile::abandonAll() {
    const std::lock_guard lock(temporaries().mutex);
    temporaries().closed = true;
    for (const std::string &name : temporaries().names)
        ::unlink(name.c_str());
}

bool AtomicFile::createTemporary(Temporary temporary) {
    if (temporary == Temporary::Nameless)
        m_file = createNameless(m_target);
    const std::lock_guard lock(temporaries().mutex);
    if (temporaries().closed) {
        errno = ECANCELED;
        return false;
    }
    for (int attempt = 0; attempt < 100 && !m_file.isOpen(); ++attempt) {
        std::string name = temporaryNameBeside(m_target);
        m_file =
            FileDescriptor(::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (m_file.isOpen())
            temporaries().names.insert(m_temporary = std::move(name));
        else if (errno != EEXIST)
            return false;
    }
    return m_file.isOpen();
}

Result<AtomicFile> AtomicFile::open(const std::string &path, Temporary temporary,
                                    OverwritePolicy replaces) {
    if (path.empty() || path.find('\0') != std::string::npos)
        return ioError(ENOENT, kCannotWrite, path);
    AtomicFile file;
    file.m_path = path;
    struct stat existing {};
    const bool exists = ::stat(path.c_str(), &existing) == 0;
    if (!exists && errno != ENOENT)
        return ioError(errno, kCannotWrite, path);
    if (exists && S_ISDIR(existing.st_mode))
        return ioError(EISDIR, kCannotWrite, path);
    const bool isOther = exists && !S_ISREG(existing.st_mode);
    if (isOther && replaces == OverwritePolicy::RegularFile)
        return Error{{"%1: it is a pipe or a device, not a file", kCannotWrite},
                     path,
                     "choose another name"};
    if (isOther) {
        file.m_file = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
        if (!file.m_file.isOpen())
            return ioError(errno, kCannotWrite, path);
        return file;
    }
    if (exists && ::access(path.c_str(), W_OK) != 0)
        return ioError(errno, kCannotWrite, path);
    const auto target = behindLinks(path);
    if (!target)
        return ioError(errno, kCannotWrite, path);
    if (!target->has_filename()) // "folder/", but the folder does not exist
        return ioError(EISDIR, kCannotWrite, path);
    file.m_target = target->string();
    // Ten minutes, because the clock of a file server may differ by minutes.
    removeStaleFiles(target->parent_path(), std::chrono::minutes(10));
    if (!file.createTemporary(temporary))
        return ioError(errno, kCannotWrite, path);
    if (exists) {
        // Sets the owner first, because that clears some permissions. Only root can change the
        // owner, so errors are ignored.
        [[maybe_unused]] const int owner =
            ::fchown(file.m_file.number(), existing.st_uid, existing.st_gid);
        if (::fchmod(file.m_file.number(), existing.st_mode & 07777) != 0)
            return ioError(errno, kCannotWrite, path);
    }
    return file;
}

Outcome AtomicFile::write(std::string_view bytes) {
    assert(m_file.isOpen());
    const PipeSignalBlocker blocker;
    while (!bytes.empty()) {
        const ssize_t written = ::write(m_file.number(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            m_failure = ioError(errno, kCannotWrite, m_path);
            return *m_failure;
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return Done{};
}

Outcome AtomicFile::commit() {
    assert(m_file.isOpen());
    if (m_failure)
        return *m_failure;
    if (m_target.empty()) // a pipe or device
        return m_file.close() != 0 && errno != EINTR ? Outcome(ioError(errno, kCannotWrite, m_path))
                                                     : Outcome(Done{});
    if (::fsync(m_file.number()) != 0 && errno != EINVAL) // unsupported by some file systems
        return ioError(errno, kCannotWrite, m_path);
    if (Outcome outcome = putInPlace(); !outcome)
        return outcome;
    syncFolder(m_target);
    return Done{};
}

Outcome AtomicFile::putInPlace() {
    const std::lock_guard lock(temporaries().mutex); // abandonAll() has to wait
    if (temporaries().closed)
        return ioError(ECANCELED, kCannotWrite, m_path);
    if (m_temporary.empty()) {
        nameIt(m_file, m_target, m_temporary);
        if (m_temporary.empty())
            return ioError(errno, kCannotWrite, m_path);
        temporaries().names.insert(m_temporary);
    }
    if (m_file.close() != 0 && errno != EINTR)
        return ioError(errno, kCannotWrite, m_path);
    if (std::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        return ioError(errno, kCannotWrite, m_path);
    temporaries().names.erase(m_temporary);
    m_temporary.clear();
    return Done{};
}

Outcome writeFile(const std::string &path, std::string_view bytes, OverwritePolicy replaces) {
    Result<AtomicFile> file = AtomicFile::open(path, AtomicFile::Temporary::Nameless, replaces);
    if (!file)
        return file.error();
    if (Outcome outcome = file->write(bytes); !outcome)
        return outcome;
    return file->commit();
}

} // namespace headlight::core
