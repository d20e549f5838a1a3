// Relative positions in buckets, as T5 adds them to its scores (Raffel et al. 2020, section 2.1).
#pragma once

#include "core/tensor/matrix.h"

namespace headlight::core {

struct RelativeConfig {
    Index buckets = 32;          ///< even where the attention goes both ways
    Index maximumDistance = 128; ///< farther tokens share the last bucket
    bool operator==(const RelativeConfig &) const = default;
};

} // namespace headlight::core
