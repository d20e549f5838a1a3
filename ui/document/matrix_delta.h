// The difference between two versions of a matrix: the changed cells if they are few, otherwise
// both matrices.
#pragma once

#include "core/transformer/model/parameters.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headlight::ui {

class MatrixDelta {
  public:
    MatrixDelta() = default;
    /// `before` or `after` is null if the matrix does not exist in that version.
    MatrixDelta(const core::Parameter &before, const core::Parameter &after);

    /// Returns the matrix before the edit. `present` is the matrix after the edit.
    core::Parameter before(const core::Parameter &present) const;
    /// Returns the matrix after the edit. `present` is the matrix before the edit.
    core::Parameter after(const core::Parameter &present) const;
    /// Combines this edit with the edit that followed.
    MatrixDelta then(const MatrixDelta &later) const;

    /// True if no value differs.
    bool empty() const { return m_cells.empty() && !m_isWhole; }
    std::size_t bytes() const;

  private:
    struct Cell {
        std::uint32_t row, column;
        float before, after;
    };
    static core::Parameter patched(const core::Parameter &present, const std::vector<Cell> &cells,
                                   float Cell::*which);

    std::vector<Cell> m_cells; // sorted by position
    bool m_isWhole = false;
    core::Parameter m_before, m_after; // set only if m_isWhole
    // The original matrix objects, if they are still alive. A trace identifies its inputs by
    // pointer, so restoring the same objects avoids recomputing its stages.
    std::weak_ptr<const core::ParameterMatrix> m_knownBefore, m_knownAfter;
};

} // namespace headlight::ui
