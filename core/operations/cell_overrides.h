// The cells of a mask that were set by hand, for one sequence.
#pragma once

#include "core/operations/mask_layers.h"

#include <vector>

namespace headlight::core {

/// Effect of a mask layer on one query's keys, up to key `end` − 1.
struct MaskWord {
    enum class Says {
        Nothing,
        Hide, ///< unless a lower layer shows it by hand
        HideByHand,
        ShowByHand,
    };
    Says says = Says::Nothing;
    Index end = 0;
};

/// The last entry for each cell of [T, S], stored as runs of keys, sorted by query and key. Ignores
/// cells of other sequences and cells outside the table.
class CellOverrides {
  public:
    CellOverrides(const CellMask &layer, Index sequence, Index queries, Index keys);

    /// Binary search. `keys` is the same as in the constructor.
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
