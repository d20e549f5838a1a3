// Cells of a mask that were set by hand, for one sequence.
#pragma once

#include "core/operations/mask_layers.h"

#include <vector>

namespace headlight::core {

/// The effect of a mask layer on one query's keys, up to key `end` − 1.
struct MaskWord {
    enum class Says {
        Nothing,
        /// Hides the keys. If a lower layer already hides them, Mask::hiddenBy() returns that
        /// layer.
        Hide,
        /// Hides the keys. Mask::hiddenBy() returns this layer.
        HideByHand,
        ShowByHand,
    };
    Says says = Says::Nothing;
    Index end = 0;
};

/// The cells of a table [T, S] that were set by hand, stored as runs of keys, sorted by query and
/// key. The last entry for a cell counts. Ignores cells of other sequences and cells outside the
/// table.
class CellOverrides {
  public:
    CellOverrides(const CellMask &layer, Index sequence, Index queries, Index keys);
    /// Hides the cells that are true in a row-major table with this number of keys.
    CellOverrides(const std::vector<bool> &hidden, Index keys);

    /// Uses binary search. `keys` must be the same as in the constructor.
    MaskWord at(Index query, Index key, Index keys) const;
    bool operator==(const CellOverrides &) const = default;

  private:
    /// Keys first … end − 1 of one query.
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
