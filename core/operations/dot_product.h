// A query and a key multiplied dimension by dimension: what the inspector shows of one score.
#pragma once

#include <span>
#include <vector>

namespace headlight::core {

struct DotProduct {
    std::vector<float> terms; ///< query[i] · key[i], one a dimension
    float sum = 0;            ///< of the terms, added in double
};

/// Both have the head's size d.
DotProduct dotProduct(std::span<const float> query, std::span<const float> key);

} // namespace headlight::core
