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

/// In the order of the directory. Errors: no zip file; a length or place that is not in the file;
/// entries that overlap, are encrypted or compressed otherwise; a name twice; "cancelled".
Result<std::vector<ZipEntry>> readZipDirectory(const NumberFile &file, std::stop_token stop = {});

} // namespace headlight::core
