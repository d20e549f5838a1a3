// What is in a zip file: the directory at its end, every length and place of it checked.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include "core/formats/files/file_numbers.h"

#include <stop_token>
#include <string>
#include <vector>

namespace headlight::core {

struct ZipEntry {
    std::string name;
    bool isDeflated = false;      ///< else it is stored as it is
    std::uint64_t begin = 0;      ///< of its bytes in the file
    std::uint64_t packedSize = 0; ///< of its bytes there
    std::uint64_t size = 0;       ///< once inflated
    std::uint32_t crc = 0;
};

/// What is said of a zip of some kind, and how much it may hold.
struct ZipKind {
    const char *entry;  ///< what an entry is called where an error names it: "array"
    const char *remedy; ///< of a file that is none or is damaged
    std::size_t mostEntries = 200'000;
};

/// In the order of the directory. Errors: no zip file; a length or place that is not in the file;
/// entries that overlap, are encrypted or compressed otherwise; a name twice; "cancelled".
Result<std::vector<ZipEntry>> readZipDirectory(const NumberFile &file, const ZipKind &kind,
                                               std::stop_token stop = {});

/// The bytes of an entry, inflated where it is compressed. Errors, which name neither file nor
/// entry: more than `limit` bytes; its bytes are not as the directory says; "cancelled".
Result<std::string> readZipEntry(const NumberFile &file, const ZipEntry &entry, std::uint64_t limit,
                                 std::stop_token stop = {});

} // namespace headlight::core
