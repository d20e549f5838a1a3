// The mask layers of one sequence, combined: the keys that each query sees, and for each hidden key
// the layer that hides it. Applies masks to scores, weights and gradients.
#pragma once

#include "core/operations/cell_overrides.h"

#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

namespace headlight::core {

/// Keys first … end − 1 of one query, which are hidden by the same layer or visible.
struct MaskRun {
    Index first = 0;
    Index end = 0;
    std::size_t mark = 0; ///< 0: visible; otherwise 1 + index of the layer that hides them

    bool hidden() const { return mark != 0; }
    Index length() const { return end - first; }
    bool operator==(const MaskRun &) const = default;
};

/// A mask [T, S] that evaluates its layers when needed, instead of storing a table. Memory and
/// construction time depend on the number of layers and of cells set by hand. If nothing is hidden,
/// construction also scans all T rows.
class Mask {
  public:
    /// The first `sourceLength` of the `keys` keys are real tokens, the others are padding.
    Mask(const MaskLayers &layers, Index sequence, Index queries, Index keys, Index sourceLength);
    /// Hides the cells that are true in a row-major table. Needs memory for the runs only.
    Mask(const std::vector<bool> &hidden, Index queries, Index keys);

    Index queries() const { return m_queries; }
    Index keys() const { return m_keys; }

    /// Calls `work` with the runs of a query's keys first … end − 1, in order. Adjacent runs have
    /// different marks. This is the fastest way to iterate over a row.
    template <typename Work>
    void forEachRun(Index query, Index first, Index end, Work work) const {
        if (first >= end)
            return;
        MaskRun run = runFrom(query, first);
        while (run.end < end) {
            const MaskRun next = runFrom(query, run.end);
            if (next.mark != run.mark) {
                work(run);
                run = next;
            }
            run.end = next.end;
        }
        run.end = end;
        work(run);
    }
    /// Calls `work` with the runs of all keys of a query.
    template <typename Work>
    void forEachRun(Index query, Work work) const {
        forEachRun(query, 0, m_keys, work);
    }

    bool hidden(Index query, Index key) const { return runFrom(query, key).hidden(); }
    /// Returns the index of the layer that hides the cell, or no value if it is visible.
    std::optional<std::size_t> hiddenBy(Index query, Index key) const;
    Index visibleKeys(Index query) const;
    /// Returns one past the last key that the query sees; 0 if it sees none.
    Index visibleEnd(Index query) const;
    bool seesNothing(Index query) const { return visibleKeys(query) == 0; }
    bool hidesAnything() const { return m_hidesAnything; }

    /// True if the masks have the same shape and hide the same cells, even if different layers hide
    /// them. Masking equal scores then has the same result.
    friend bool hideTheSame(const Mask &a, const Mask &b);
    /// Compares the first `keys` keys of one query, which both masks must have.
    friend bool hideTheSame(const Mask &a, const Mask &b, Index query, Index keys);

  private:
    /// A mask layer, with its cells limited to this sequence.
    using Layer = std::variant<CausalMask, PaddingMask, WindowMask, CellOverrides, PrefixMask,
                               BlockMask, DiagonalMask>;

    /// Returns the run that starts at this key. It may end before the mark changes.
    MaskRun runFrom(Index query, Index key) const;

    std::vector<Layer> m_layers;
    Index m_queries;
    Index m_keys;
    Index m_sourceLength;
    bool m_hidesAnything = false;
};

/// masked[i, j] = numbers[i, j], or `value` if the mask hides the cell: −∞ for scores, 0 for
/// weights. Shapes [T, S]. Row i belongs to query first + i; there may be fewer columns than keys.
/// The matrices may share memory.
void applyMask(MatrixView numbers, const Mask &mask, float value, MutableMatrixView masked,
               const std::stop_token &stop = {}, Index first = 0);

/// gradient[i, j] = outGradient[i, j], or 0 if the mask hides the cell, because its value was
/// replaced. Writes `gradient`, which may share memory with outGradient. Shapes [T, S]. Row i
/// belongs to query first + i.
void maskBackward(MatrixView outGradient, const Mask &mask, MutableMatrixView gradient,
                  Index first = 0);

/// weights[i, j] = 1/n for the n keys that a query sees, otherwise 0. Shape [T, S]. Row i belongs
/// to query first + i; there may be fewer columns than keys.
void uniformWeights(const Mask &mask, MutableMatrixView weights, Index first = 0);

} // namespace headlight::core
