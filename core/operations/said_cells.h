// The cells of a mask that were said by hand, for one sequence.
#pragma once

#include "core/operations/mask_layers.h"

#include <vector>

namespace headlight::core {

/// What a layer of a mask says of a key of one query, and so of all keys from it to `end` − 1.
struct MaskWord {
    enum class Says {
        Nothing,
        Hide, ///< unless a layer beneath it has
        HideByHand,
        ShowByHand,
    };
    Says says = Says::Nothing;
    Index end = 0;
};

/// The last word about each cell of [T, S], kept as runs of keys in the order of queries and keys.
/// Cells of other sequences and outside the table say nothing.
class SaidCells {
  public:
    SaidCells(const CellMask &layer, Index sequence, Index queries, Index keys);

    /// By binary search. `keys` as when they were made.
    MaskWord at(Index query, Index key, Index keys) const;
    bool operator==(const SaidCells &) const = default;

  private:
    /// Keys first … end − 1.
    struct Run {
        Index query = 0;
        Index first = 0;
        Index end = 0;
        bool visible = false;
        bool operator==(const Run &) const = default;
    };
    void append(const Run &cell);

    std::vector<Run> m_runs;
};

} // namespace headlight::core
