// A zip file: the same entries give the same bytes.
#pragma once

#include <string>
#include <vector>

namespace headlight::core {

struct ZipMember {
    std::string name;
    std::string bytes;
};

/// Deflated, in this order, without a date. Less than 4 GB and 65,535 entries.
std::string zipOf(const std::vector<ZipMember> &members);

} // namespace headlight::core
