#include "core/formats/pretrained/gguf.h"

#include "core/formats/files/regular_file.h"

#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace headlight::core {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr int kMostFiles = 10'000; // limit of the files to check in a folder

Error refusal(const std::string &path) {
    return {"GGUF is not read yet", path,
            "give the folder with the model's config.json and .safetensors files, from which GGUF "
            "files are made"};
}

} // namespace

std::optional<Error> refusedGguf(const std::string &path) {
    const Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return std::nullopt; // the reader reports the reason
    char first[kMagic.size()];
    if (::pread(file->descriptor.number(), first, sizeof first, 0) != sizeof first ||
        std::string_view(first, sizeof first) != kMagic)
        return std::nullopt;
    return refusal(path);
}

std::optional<Error> refusedGgufIn(const std::string &folder) {
    std::error_code error;
    std::string least; // the first by name, so that the result is stable
    int count = 0;
    for (fs::directory_iterator entry(folder, error);
         !error && entry != fs::directory_iterator() && count < kMostFiles;
         entry.increment(error), ++count)
        if (const std::string path = entry->path().string();
            path.ends_with(".gguf") && (least.empty() || path < least))
            least = path;
    return least.empty() ? std::nullopt : std::optional(refusal(least));
}

} // namespace headlight::core
