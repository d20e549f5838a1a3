// A figure's text in a PNG: a compressed iTXt chunk (PNG specification, section 11.3.4.5).
#include "core/cancelled.h"
#include "core/formats/encodings/inflate.h"
#include "core/formats/figure/carriers.h"
#include "core/formats/figure/figure_session.h"
#include "core/formats/session/data/session.h"

namespace headlight::core {

namespace {

constexpr std::size_t kSignature = 8;
constexpr std::size_t kAround = 12; // bytes for length, type and checksum

std::uint32_t bigEndian(std::string_view bytes) {
    std::uint32_t value = 0;
    for (const char byte : bytes.substr(0, 4))
        value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

std::string bigEndian(std::uint32_t value) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(value >> shift & 0xFF);
    return bytes;
}

/// Returns the text of a chunk. `data` follows the keyword: compression flag, method, then language
/// and translated keyword, each zero-terminated.
Result<std::string> textOfChunk(std::string_view data, const std::stop_token &stop) {
    if (data.size() < 2)
        return Error{"its text chunk is damaged", "", ""};
    const bool compressed = data[0] == 1;
    data.remove_prefix(2);
    for (int skipped = 0; skipped < 2; ++skipped) {
        const std::size_t end = data.find('\0');
        if (end == std::string_view::npos)
            return Error{"its text chunk is damaged", "", ""};
        data.remove_prefix(end + 1);
    }
    return compressed ? inflated(data, kMaxSessionBytes, stop) : std::string(data);
}

} // namespace

Result<std::string> textInPng(std::string_view png, const std::stop_token &stop) {
    StopCheck check(stop);
    const std::string keyword = std::string(kPngKeyword) + '\0';
    png.remove_prefix(kSignature);
    while (!png.empty()) {
        check.throwIfRequested();
        const std::size_t length = png.size() < kAround ? 0 : bigEndian(png);
        if (png.size() < kAround || length > png.size() - kAround)
            return Error{"the file is truncated", "", "use the complete file"};
        const std::string_view typed = png.substr(4, 4 + length); // covered by the checksum
        if (typed.starts_with("iTXt" + keyword)) {
            if (crcOf(typed) != bigEndian(png.substr(8 + length)))
                return Error{"its text chunk is damaged", "", ""};
            return textOfChunk(typed.substr(4 + keyword.size()), stop);
        }
        if (typed.starts_with("IEND"))
            break;
        png.remove_prefix(kAround + length);
    }
    return carriesNothing();
}

std::string withTextInPng(std::string png, std::string_view text) {
    const std::size_t end = png.rfind("IEND");
    if (end == std::string::npos || end < kSignature + 4)
        return png;
    const std::string data = std::string("iTXt") + std::string(kPngKeyword) +
                             std::string("\0\1\0\0\0", 5) + deflated(text);
    png.insert(end - 4, bigEndian(static_cast<std::uint32_t>(data.size() - 4)) + data +
                            bigEndian(crcOf(data)));
    return png;
}

Error carriesNothing() {
    return {"this figure has no embedded session", "",
            "open the session that it was created from; figures saved without --no-session embed "
            "theirs"};
}

} // namespace headlight::core
