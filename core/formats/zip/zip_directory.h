// The directory of a zip file, with every length and offset checked.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include "core/formats/files/file_numbers.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

struct ZipEntry {
    std::string name;
    bool isDeflated = false;      ///< compressed; otherwise stored
    std::uint64_t begin = 0;      ///< offset of its bytes in the file
    std::uint64_t packedSize = 0; ///< size in the file
    std::uint64_t size = 0;       ///< size after decompression
    std::uint32_t crc = 0;
};

/// Error texts and limits for one kind of zip file.
struct ZipKind {
    const char *entry;  ///< term for an entry in errors: "array"
    const char *remedy; ///< remedy for a damaged file, or one of another type
    std::size_t maxEntries = 200'000;
};

/// Returns the entries in directory order. Errors: not a zip file; a length or offset outside the
/// file; entries that overlap, are encrypted or use another compression; a duplicate name;
/// "cancelled".
Result<std::vector<ZipEntry>> readZipDirectory(const NumberFile &file, const ZipKind &kind,
                                               std::stop_token stop = {});

/// Returns the decompressed bytes of an entry. Errors, which name neither the file nor the entry:
/// more than `limit` bytes; bytes that contradict the directory; "cancelled".
Result<std::string> readZipEntry(const NumberFile &file, const ZipEntry &entry, std::uint64_t limit,
                                 std::stop_token stop = {});

} // namespace headlight::core
