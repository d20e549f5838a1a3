#include "core/formats/files/gguf.h"

#include "core/formats/files/regular_file.h"

#include <filesystem>
#include <string_view>
#include <unistd.h>

namespace headlight::core {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "GGUF";
constexpr int kMaxInFolder = 10'000; // limit of the files to check in a folder

constexpr const char *kRemedy =
    "give the folder with the model's config.json and .safetensors files, from which GGUF files "
    "are made";

Error refusal(const std::string &path) {
    return {"GGUF is not read yet", path, kRemedy};
}

} // namespace

bool startsLikeGguf(const FileDescriptor &file) {
    char first[kMagic.size()];
    return ::pread(file.number(), first, sizeof first, 0) == sizeof first &&
           std::string_view(first, sizeof first) == kMagic;
}

Error ggufUnderAnotherName(const std::string &path, const std::string &format) {
    return {{"it is a GGUF file and not %1, whatever its name, and GGUF is not read yet", format},
            path,
            kRemedy};
}

std::optional<Error> refusedGguf(const std::string &path) {
    const Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return std::nullopt; // the reader reports the reason
    return startsLikeGguf(file->descriptor) ? std::optional(refusal(path)) : std::nullopt;
}

std::optional<Error> refusedGgufIn(const std::string &folder) {
    std::error_code error;
    std::string least; // the first by name, so that the result is stable
    int count = 0;
    for (fs::directory_iterator entry(folder, error);
         !error && entry != fs::directory_iterator() && count < kMaxInFolder;
         entry.increment(error), ++count)
        if (const std::string path = entry->path().string();
            path.ends_with(".gguf") && (least.empty() || path < least))
            least = path;
    return least.empty() ? std::nullopt : std::optional(refusal(least));
}

} // namespace headlight::core
