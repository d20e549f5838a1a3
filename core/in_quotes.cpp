#include "core/in_quotes.h"

namespace headlight::core {

std::string inQuotes(std::string_view text, std::size_t most) {
    std::string shown = "\"";
    std::size_t characters = 0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0) != 0x80 && ++characters > most)
            return shown + "…\"";
        shown += byte < 0x20 || byte == 0x7F ? ' ' : c;
    }
    return shown + "\"";
}

} // namespace headlight::core
