// Writes zip files. Equal entries give equal bytes.
#pragma once

#include <string>
#include <vector>

namespace headlight::core {

struct ZipMember {
    std::string name;
    std::string bytes;
};

/// Deflates the members in order, without a date. Limits: 4 GB and 65,535 entries.
std::string zipOf(const std::vector<ZipMember> &members);

} // namespace headlight::core
