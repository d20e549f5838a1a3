// Attention masks as layers laid over each other, as a person says them: each hides keys from
// queries.
#pragma once

#include "core/tensor/matrix.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace headlight::core {

/// Hides every key after the query: j > i ("look-ahead mask", Vaswani et al. 2017, section 3.2.3).
struct CausalMask {
    bool operator==(const CausalMask &) const = default;
};

/// Hides the keys that are padding. The queries that are padding see like any other.
struct PaddingMask {
    bool operator==(const PaddingMask &) const = default;
};

/// Sliding window of `width` tokens: visible where i − width < j ≤ i, width ≥ 1; both ways:
/// |i − j| ≤ width.
struct WindowMask {
    Index width = 1;
    bool bothWays = false;
    bool operator==(const WindowMask &) const = default;
};

/// Prefix language model (Raffel et al. 2020, section 3.2.1): causal, but the first `length` ≥ 0
/// tokens are seen by every query.
struct PrefixMask {
    Index length = 0;
    bool operator==(const PrefixMask &) const = default;
};

/// The tokens in groups of `size` ≥ 1, one after the other; a query sees the keys of its own group.
struct BlockMask {
    Index size = 1;
    bool operator==(const BlockMask &) const = default;
};

/// Hides every token from itself.
struct DiagonalMask {
    bool operator==(const DiagonalMask &) const = default;
};

/// One cell, said by hand.
struct MaskCell {
    std::optional<Index> sequence; ///< of the batch; every one where not said
    Index query = 0;
    Index key = 0;
    bool visible = false;
    bool operator==(const MaskCell &) const = default;
};

/// Single cells: hides some, and shows some that a layer beneath it hid. The last word about a cell
/// counts.
struct CellMask {
    std::vector<MaskCell> cells;
    bool operator==(const CellMask &) const = default;
};

using MaskLayer = std::variant<CausalMask, PaddingMask, WindowMask, CellMask, PrefixMask, BlockMask,
                               DiagonalMask>;
/// From the bottom to the top. None: every query sees every key.
using MaskLayers = std::vector<MaskLayer>;

/// The layer's name as session files write it: "causal", "padding", "window", "cells",
/// "prefix", "blocks", "diagonal".
std::string kindOf(const MaskLayer &layer);

} // namespace headlight::core
