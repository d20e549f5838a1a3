// Any bytes as a capture: an error with a message, or tensors whose numbers can all be read.
#include "core/formats/capture.h"

#include <cstdlib>
#include <fstream>
#include <unistd.h>

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    static const std::string path =
        "/tmp/headlight-fuzz-" + std::to_string(getpid()) + ".safetensors";
    static const int atEnd = std::atexit([] { unlink(path.c_str()); });
    static_cast<void>(atEnd);
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char *>(data), static_cast<std::streamsize>(size));
    const auto capture = readCapture(path);
    if (!capture && capture.error().what.empty())
        std::abort();
    return 0;
}
