#include "core/formats/encodings/inflate.h"

#include "core/cancelled.h"

#include <algorithm>
#include <array>
#include <zlib.h>

namespace headlight::core {

namespace {

/// Owns zlib's stream and frees it on every return.
struct Inflation {
    z_stream stream{};
    bool isStarted;
    explicit Inflation(CompressionHeader wrapping)
        : isStarted(
              inflateInit2(&stream, wrapping == CompressionHeader::Zlib ? MAX_WBITS : -MAX_WBITS) ==
              Z_OK) {}
    Inflation(const Inflation &) = delete;
    Inflation &operator=(const Inflation &) = delete;
    ~Inflation() {
        if (isStarted)
            inflateEnd(&stream);
    }
};

} // namespace

Result<std::string> inflated(std::string_view data, std::size_t limit, std::stop_token stop,
                             CompressionHeader wrapping) {
    Inflation inflation(wrapping);
    z_stream &stream = inflation.stream;
    if (!inflation.isStarted)
        return Error{"there is not enough memory to read it", "", ""};
    std::string text;
    std::array<char, 1 << 14> piece{};
    int state = Z_OK;
    while (state == Z_OK) {
        if (stop.stop_requested())
            return cancelled();
        if (stream.avail_in == 0 && !data.empty()) {
            const std::size_t next = std::min(data.size(), std::size_t(1) << 20);
            // zlib does not change its input, but its interface lacks const.
            stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(data.data()));
            stream.avail_in = static_cast<uInt>(next);
            data.remove_prefix(next);
        }
        stream.next_out = reinterpret_cast<Bytef *>(piece.data());
        stream.avail_out = static_cast<uInt>(piece.size());
        state = inflate(&stream, Z_NO_FLUSH);
        const std::size_t made = piece.size() - stream.avail_out;
        if (made > limit - text.size())
            return Error{{"it contains more than %1 MB", limit >> 20}, "", ""};
        text.append(piece.data(), made);
    }
    if (state != Z_STREAM_END)
        return Error{"its compressed data is damaged", "", ""};
    return text;
}

std::string deflated(std::string_view text, CompressionHeader wrapping) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string data(size, '\0');
    compress2(reinterpret_cast<Bytef *>(data.data()), &size,
              reinterpret_cast<const Bytef *>(text.data()), static_cast<uLong>(text.size()),
              Z_BEST_COMPRESSION);
    data.resize(size);
    // Raw deflate is zlib's format without its two-byte header and four-byte checksum.
    return wrapping == CompressionHeader::Zlib ? data : data.substr(2, data.size() - 6);
}

std::uint32_t crcOf(std::string_view bytes, std::uint32_t before) {
    return static_cast<std::uint32_t>(
        crc32_z(before, reinterpret_cast<const Bytef *>(bytes.data()), bytes.size()));
}

} // namespace headlight::core
