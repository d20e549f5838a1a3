#include "core/formats/files/stale_temporary_files.h"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <ctime>
#include <sys/stat.h>
#include <unistd.h>

namespace headlight::core {

namespace {

constexpr std::string_view kBefore = ".headlight-";
constexpr std::string_view kBehind = ".tmp";

/// Returns the id of the process that created the temporary file; 0 if the file is not Headlight's.
pid_t processOf(std::string_view name) {
    if (!name.starts_with(kBefore) || !name.ends_with(kBehind) ||
        name.size() < kBefore.size() + kBehind.size())
        return 0;
    name.remove_prefix(kBefore.size());
    name.remove_suffix(kBehind.size());
    const char *end = name.data() + name.size();
    pid_t process = 0;
    unsigned number = 0;
    const auto first = std::from_chars(name.data(), end, process);
    if (first.ec != std::errc() || process <= 0 || first.ptr == end || *first.ptr != '-')
        return 0;
    const auto second = std::from_chars(first.ptr + 1, end, number);
    return second.ec == std::errc() && second.ptr == end ? process : 0;
}

bool isGone(pid_t process) {
    return ::kill(process, 0) != 0 && errno == ESRCH;
}

bool isOldAndOurs(const std::string &path, std::chrono::seconds unchangedFor) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
           status.st_uid == ::geteuid() &&
           std::time(nullptr) - status.st_mtime >= unchangedFor.count();
}

} // namespace

std::string temporaryNameBeside(const std::filesystem::path &target) {
    static std::atomic<unsigned> counter{0};
    return (target.parent_path() / (std::string(kBefore) + std::to_string(::getpid()) + '-' +
                                    std::to_string(++counter) + std::string(kBehind)))
        .string();
}

void removeStaleFiles(const std::filesystem::path &folder, std::chrono::seconds unchangedFor) {
    std::error_code error;
    std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::string path = entry->path().string();
        const pid_t process = processOf(entry->path().filename().string());
        if (process > 0 && isGone(process) && isOldAndOurs(path, unchangedFor))
            ::unlink(path.c_str());
    }
}

} // namespace headlight::core
