// The dot product of a query and a key, with its terms for the inspector.
#pragma once

#include <span>
#include <vector>

namespace headlight::core {

struct DotProduct {
    std::vector<float> terms; ///< query[i] · key[i] for each dimension
    float sum = 0;            ///< sum of the terms, accumulated in double
};

/// Both vectors must have the head size d.
DotProduct dotProduct(std::span<const float> query, std::span<const float> key);

} // namespace headlight::core
