// Attention masks as layers laid over each other: which keys a query may see, and which layer hid
// the others.
#pragma once

#include "core/tensor/matrix.h"

#include <cstdint>
#include <optional>
#include <stop_token>
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

/// The layers resolved for one sequence: a [T, S] table of who hid what.
class Mask {
  public:
    /// `sourceLength` of the S keys are real tokens, the rest padding.
    Mask(const MaskLayers &layers, Index sequence, Index queries, Index keys, Index sourceLength);

    bool hidden(Index query, Index key) const { return m_hiddenBy[cell(query, key)] != 0; }
    /// Which layer hid the cell (an index into the layers), none where it is visible.
    std::optional<std::size_t> hiddenBy(Index query, Index key) const;
    /// A query that may see no key at all.
    bool seesNothing(Index query) const;
    Index queries() const { return m_queries; }
    Index keys() const { return m_keys; }
    bool hidesAnything() const { return m_hidesAnything; }
    bool operator==(const Mask &) const = default;

  private:
    std::size_t cell(Index query, Index key) const {
        assert(query >= 0 && query < m_queries && key >= 0 && key < m_keys);
        return static_cast<std::size_t>(query * m_keys + key);
    }
    void apply(const MaskLayer &layer, std::uint16_t mark, Index sequence, Index sourceLength);

    Index m_queries;
    Index m_keys;
    bool m_hidesAnything = false;
    std::vector<std::uint16_t> m_hiddenBy; // 0: visible, else 1 + the layer
};

/// The layer's name as session files write it: "causal", "padding", "window", "cells",
/// "prefix", "blocks", "diagonal".
std::string kindOf(const MaskLayer &layer);

/// masked[i, j] = numbers[i, j], or `value` where the mask hides the cell: −∞ for scores, 0 for
/// weights. Shapes [T, S]: of the queries from `first` on. May be the same numbers.
void applyMask(MatrixView numbers, const Mask &mask, float value, MutableMatrixView masked,
               const std::stop_token &stop = {}, Index first = 0);

/// gradient[i, j] = outGradient[i, j], or 0 where the mask hides the cell: nothing that was there
/// before came through. It is written, and may be outGradient's numbers. Shapes [T, S].
void maskBackward(MatrixView outGradient, const Mask &mask, MutableMatrixView gradient);

/// weights[i, j] = 1/n for the n keys that query i may see, else 0. Shape [T, S]: of the queries
/// from `first` on.
void uniformWeights(const Mask &mask, MutableMatrixView weights, Index first = 0);

} // namespace headlight::core
