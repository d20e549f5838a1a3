// Reads arbitrary bytes as a list of texts. Expects an error with a message and a line, or texts in
// the order of their lines.
#include "core/formats/text_list.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char *>(data), size);
    const auto texts = headlight::core::readTextList(bytes);
    if (!texts) {
        if (texts.error().what.empty())
            std::abort();
        return 0;
    }
    std::size_t line = 0;
    for (const headlight::core::ListedText &text : *texts) {
        if (text.line <= line || text.text.size() > size)
            std::abort();
        line = text.line;
    }
    return 0;
}
