// Writes zip files. Equal entries result in equal bytes.
#pragma once

#include <string>
#include <vector>

namespace headlight::core {

struct ZipMember {
    std::string name;
    std::string bytes;
};

/// Returns a zip file of the deflated members, in order and without dates. Limits: 4 GB and 65,535
/// entries.
std::string zipOf(const std::vector<ZipMember> &members);

} // namespace headlight::core
