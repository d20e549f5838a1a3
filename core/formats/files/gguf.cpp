#include "core/formats/files/gguf.h"

#include "core/formats/files/regular_file.h"

#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace headlight::core {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr int kMaxInFolder = 10'000; // maximum number of files to check in a folder

} // namespace

bool startsLikeGguf(const FileDescriptor &file) {
    char first[kMagic.size()];
    return ::pread(file.number(), first, sizeof first, 0) == sizeof first &&
           std::string_view(first, sizeof first) == kMagic;
}

bool isGguf(const std::string &path) {
    const Result<RegularFile> file = openRegularFile(path);
    return file && startsLikeGguf(file->descriptor);
}

Error ggufUnderAnotherName(const std::string &path, const std::string &format) {
    return {{"it is a GGUF file, not %1, despite its name", format},
            path,
            "give it a name that ends with .gguf and open the file itself"};
}

std::string ggufIn(const std::string &folder) {
    std::error_code error;
    std::string least; // the first in alphabetical order, so that the result is stable
    int count = 0;
    for (fs::directory_iterator entry(folder, error);
         !error && entry != fs::directory_iterator() && count < kMaxInFolder;
         entry.increment(error), ++count)
        if (const std::string path = entry->path().string();
            path.ends_with(".gguf") && (least.empty() || path < least))
            least = path;
    return least;
}

} // namespace headlight::core
