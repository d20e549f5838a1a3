// Several layers or heads, as the options --layer and --head name them: "0-3,5".
#pragma once

#include "ui/command_line/codecs.h"

namespace headlight::ui {

/// Some indices in the order in which they were typed, without repetitions, or all.
struct IndexList {
    bool all = false;
    std::vector<core::Index> indices{};

    /// True if it has several indices.
    bool isSet() const { return all || indices.size() > 1; }
    bool operator==(const IndexList &) const = default;
};

/// Limit for the indices of a list, far above the layers and heads of any model.
inline constexpr std::size_t kMaxListed = 4096;

/// Returns a codec for indices and ranges of them, separated by commas. A single index is valid
/// too. `all` is valid only if the caller reads it.
Codec<IndexList> indexListCodec();

} // namespace headlight::ui
