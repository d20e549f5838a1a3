#include "core/formats/files/fingerprint.h"

#include "core/cancelled.h"
#include "core/formats/encodings/inflate.h"
#include "core/formats/files/file_numbers.h"

#include <algorithm>
#include <cstdio>

namespace headlight::core {

Result<std::string> fingerprintOf(const std::string &path, const std::stop_token &stop) {
    constexpr std::uint64_t kPieceBytes = 65536, kPieces = 256;
    const Result<RegularFile> file = openRegularFile(path);
    if (!file)
        return file.error();
    const std::uint64_t size = file->size;
    const bool isWhole = size <= kPieceBytes * kPieces;
    const std::uint64_t pieces = isWhole ? (size + kPieceBytes - 1) / kPieceBytes : kPieces;
    const std::uint64_t last = size - std::min(size, kPieceBytes); // offset of the last piece
    std::string bytes;
    std::uint32_t crc = 0;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        if (stop.stop_requested())
            return cancelled();
        const std::uint64_t begin = isWhole ? piece * kPieceBytes : last * piece / (kPieces - 1);
        bytes.resize(std::min(kPieceBytes, size - begin));
        if (Outcome outcome = readAt(file->descriptor, begin, bytes, path,
                                     Error{"it cannot be read to its end", path, ""});
            !outcome)
            return outcome.error();
        crc = crcOf(bytes, crc);
    }
    char text[16];
    std::snprintf(text, sizeof text, "-%08x", crc);
    return std::to_string(size) + text;
}

} // namespace headlight::core
