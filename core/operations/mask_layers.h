// Attention masks as a stack of layers, as the user defines them. Each layer hides keys from
// queries.
#pragma once

#include "core/tensor/matrix.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headlight::core {

/// Hides every key after the query: j > i ("look-ahead mask", Vaswani et al. 2017, section 3.2.3).
struct CausalMask {
    bool operator==(const CausalMask &) const = default;
};

/// Hides padding keys. Padding queries are treated like any other query.
struct PaddingMask {
    bool operator==(const PaddingMask &) const = default;
};

/// Sliding window of `width` ≥ 1 tokens: query i sees key j if i − width < j ≤ i or, with bothWays,
/// if |i − j| ≤ width.
struct WindowMask {
    Index width = 1;
    bool bothWays = false;
    bool operator==(const WindowMask &) const = default;
};

/// Prefix language model (Raffel et al. 2020, section 3.2.1): causal, but every query sees the
/// first `length` ≥ 0 tokens.
struct PrefixMask {
    Index length = 0;
    bool operator==(const PrefixMask &) const = default;
};

/// Consecutive groups of `size` ≥ 1 tokens. A query sees only the keys of its own group.
struct BlockMask {
    Index size = 1;
    bool operator==(const BlockMask &) const = default;
};

/// Hides every token from itself.
struct DiagonalMask {
    bool operator==(const DiagonalMask &) const = default;
};

/// A cell set by hand.
struct MaskCell {
    std::optional<Index> sequence; ///< sequence of the batch; unset: all sequences
    Index query = 0;
    Index key = 0;
    bool visible = false;
    bool operator==(const MaskCell &) const = default;
};

/// Cells set by hand. Some are hidden, others shown although a lower layer hides them. The last
/// entry for a cell counts.
struct CellMask {
    std::vector<MaskCell> cells;
    bool operator==(const CellMask &) const = default;
};

using MaskLayer = std::variant<CausalMask, PaddingMask, WindowMask, CellMask, PrefixMask, BlockMask,
                               DiagonalMask>;
/// Layers from bottom to top. Without layers, every query sees every key.
using MaskLayers = std::vector<MaskLayer>;

/// The layers' names in session files, by index of the variant.
inline constexpr std::array<std::string_view, std::variant_size_v<MaskLayer>> kMaskKinds{
    "causal", "padding", "window", "cells", "prefix", "blocks", "diagonal"};
inline std::string kindOf(const MaskLayer &layer) {
    return std::string(kMaskKinds[layer.index()]);
}

} // namespace headlight::core
