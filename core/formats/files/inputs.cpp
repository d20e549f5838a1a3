#include "core/formats/files/inputs.h"

#include <filesystem>
#include <sys/stat.h>

namespace headlight::core {

namespace fs = std::filesystem;

namespace {

/// Model folders are small and flat. These limits bound the search in other folders.
constexpr int kDeepest = 4;
constexpr int kMaxFolderFiles = 100'000;

const Message &refusal() {
    static const Message message("this file is an input and would be overwritten");
    return message;
}

bool isSame(const struct stat &a, const struct stat &b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/// Returns the path of the file in `folder` that is identical to `sought`; empty if there is none.
std::string foundIn(const std::string &folder, const struct stat &sought) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                           error);
    for (int count = 0;
         !error && entry != fs::recursive_directory_iterator() && count < kMaxFolderFiles;
         entry.increment(error), ++count) {
        if (entry.depth() >= kDeepest)
            entry.disable_recursion_pending();
        struct stat status {};
        if (::stat(entry->path().c_str(), &status) == 0 && isSame(status, sought))
            return entry->path().string();
    }
    return {};
}

} // namespace

Outcome notAnInput(const std::string &output, const std::vector<std::string> &inputs) {
    struct stat written {};
    if (::stat(output.c_str(), &written) != 0 || !S_ISREG(written.st_mode))
        return Done{};
    for (const std::string &input : inputs) {
        struct stat read {};
        if (::stat(input.c_str(), &read) != 0)
            continue;
        const std::string same = S_ISDIR(read.st_mode)   ? foundIn(input, written)
                                 : isSame(read, written) ? input
                                                         : std::string();
        if (!same.empty())
            return Error{refusal(), output,
                         Message("%1 is the input; write to another file", same)};
    }
    return Done{};
}

bool isSameFile(const std::string &a, const std::string &b) {
    struct stat first {
    }, second{};
    return ::stat(a.c_str(), &first) == 0 && ::stat(b.c_str(), &second) == 0 &&
           isSame(first, second);
}

bool isOfAnInput(const Error &error) {
    return error.what == refusal();
}

} // namespace headlight::core
