// Reads arbitrary bytes as a capture. Expects an error with a message, or tensors that make a trace
// or give an error.
#include "core/formats/capture/capture_trace.h"
#include "tests/fuzz/bytes_as_file.h"

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto capture = readCapture(bytesAsFile(data, size));
    if (!capture) {
        if (capture.error().what.empty())
            std::abort();
        return 0;
    }
    const auto trace = traceOf(*capture);
    if (!trace && trace.error().what.empty())
        std::abort();
    return 0;
}
