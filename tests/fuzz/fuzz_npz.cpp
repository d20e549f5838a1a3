// Reads arbitrary bytes as NumPy's .npz. Expects an error with a message, or a capture whose trace
// and checks run or give an error.
#include "core/checks/capture_check.h"
#include "core/formats/capture/capture_trace.h"
#include "tests/fuzz/bytes_as_file.h"

using namespace headlight::core;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto capture = readCapture(bytesAsFile(data, size, ".npz"));
    if (!capture) {
        if (capture.error().what.empty())
            std::abort();
        return 0;
    }
    const auto trace = traceOf(*capture);
    if (!trace && trace.error().what.empty())
        std::abort();
    (void)problemsOf(*capture);
    return 0;
}
