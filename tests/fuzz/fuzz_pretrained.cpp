// Reads an arbitrary config.json and tensor header as a model folder. Expects an error with a
// message, or a model that can be computed or gives an error. The header comes after the first zero
// byte. The data of all tensors are 0.
#include "core/formats/pretrained/pretrained_folder.h"
#include "tests/fuzz/hold.h"
#include "tests/support/forward.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

using namespace headlight::core;
using headlight::test::forward;

namespace {

constexpr std::uintmax_t kDataBytes = std::uintmax_t(1) << 16;

/// Returns the same folder each time. It is deleted at exit.
const std::string &folder() {
    static const std::string path = "/tmp/headlight-fuzz-folder-" + std::to_string(getpid());
    static const int atEnd = std::atexit([] { std::filesystem::remove_all(path); });
    static_cast<void>(atEnd);
    std::filesystem::create_directories(path);
    return path;
}

void write(const std::string &path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char *>(data), size);
    const std::size_t zero = std::min(all.find('\0'), size);
    const std::string_view header = all.substr(std::min(zero + 1, size));
    std::string file;
    for (int shift = 0; shift < 64; shift += 8)
        file += static_cast<char>(header.size() >> shift);
    file += header;
    const std::string tensors = folder() + "/model.safetensors";
    write(folder() + "/config.json", all.substr(0, zero));
    write(tensors, file);
    std::filesystem::resize_file(tensors, file.size() + kDataBytes);
    const auto read = readPretrained(folder());
    for (const Error &problem : inspectPretrained(folder()).problems)
        hold(!problem.what.empty() && !read);
    if (!read) {
        hold(!read.error().what.empty());
        return 0;
    }
    const auto first = firstComputable(**read);
    if (!first) {
        hold(!first.error().what.empty());
        return 0;
    }
    const auto trace = forward(*first);
    hold(trace || !trace.error().what.empty());
    return 0;
}
