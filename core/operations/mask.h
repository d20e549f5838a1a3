// Mask layers resolved for one sequence: which keys a query may see, and which layer hides the
// others. What they do to scores, weights and gradients.
#pragma once

#include "core/operations/said_cells.h"

#include <optional>
#include <stop_token>
#include <variant>
#include <vector>

namespace headlight::core {

/// Keys first … end − 1 of one query, which a mask treats alike.
struct MaskRun {
    Index first = 0;
    Index end = 0;
    std::size_t mark = 0; ///< 0: visible, else 1 + the layer that hides them

    bool hidden() const { return mark != 0; }
    Index length() const { return end - first; }
    bool operator==(const MaskRun &) const = default;
};

/// A mask [T, S] that keeps its layers and works out what is asked: there is no table. Its memory
/// grows with the layers and the cells said by hand; so does the time to make one, but where
/// nothing is hidden, which takes a look at each of the T rows.
class Mask {
  public:
    /// `sourceLength` of the S keys are real tokens, the rest padding.
    Mask(const MaskLayers &layers, Index sequence, Index queries, Index keys, Index sourceLength);

    Index queries() const { return m_queries; }
    Index keys() const { return m_keys; }

    /// Calls `work` with the runs of a query's keys first … end − 1, in order; two runs beside each
    /// other have different marks. Whatever goes through a row is fastest this way.
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
    /// The same of all keys.
    template <typename Work>
    void forEachRun(Index query, Work work) const {
        forEachRun(query, 0, m_keys, work);
    }

    bool hidden(Index query, Index key) const { return runFrom(query, key).hidden(); }
    /// Which layer hid the cell (an index into the layers), none where it is visible.
    std::optional<std::size_t> hiddenBy(Index query, Index key) const;
    /// How many keys the query may see.
    Index visibleKeys(Index query) const;
    /// One past the last key that the query may see; 0: it sees none.
    Index visibleEnd(Index query) const;
    /// A query that may see no key at all.
    bool seesNothing(Index query) const { return visibleKeys(query) == 0; }
    bool hidesAnything() const { return m_hidesAnything; }

    /// The same shape, and the same cells hidden: scores come out the same. Which layers hide them
    /// may differ.
    friend bool hideTheSame(const Mask &a, const Mask &b);
    /// The same of one query's first keys, which both have.
    friend bool hideTheSame(const Mask &a, const Mask &b, Index query, Index keys);

  private:
    /// As MaskLayer, with the cells of this sequence.
    using Layer = std::variant<CausalMask, PaddingMask, WindowMask, SaidCells, PrefixMask,
                               BlockMask, DiagonalMask>;

    /// From this key on, at least one; the keys after it may have the same mark.
    MaskRun runFrom(Index query, Index key) const;

    std::vector<Layer> m_layers;
    Index m_queries;
    Index m_keys;
    Index m_sourceLength;
    bool m_hidesAnything = false;
};

/// masked[i, j] = numbers[i, j], or `value` where the mask hides the cell: −∞ for scores, 0 for
/// weights. Shapes [T, S]: of the queries from `first` on; or of both the first keys alone. May be
/// the same numbers.
void applyMask(MatrixView numbers, const Mask &mask, float value, MutableMatrixView masked,
               const std::stop_token &stop = {}, Index first = 0);

/// gradient[i, j] = outGradient[i, j], or 0 where the mask hides the cell: nothing that was there
/// before came through. It is written, and may be outGradient's numbers. Shapes [T, S]: of the
/// queries from `first` on.
void maskBackward(MatrixView outGradient, const Mask &mask, MutableMatrixView gradient,
                  Index first = 0);

/// weights[i, j] = 1/n for the n keys that query i may see, else 0. Shape [T, S]: of the queries
/// from `first` on; or of the first keys alone.
void uniformWeights(const Mask &mask, MutableMatrixView weights, Index first = 0);

} // namespace headlight::core
