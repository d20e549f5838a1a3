// What an edit changed of a matrix: the changed cells where they are few, else the matrix before
// and the matrix after.
#pragma once

#include "core/transformer/model/parameters.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headlight::ui {

class MatrixDelta {
  public:
    MatrixDelta() = default;
    /// Either may be null, where the matrix did not exist.
    MatrixDelta(const core::Parameter &before, const core::Parameter &after);

    /// `present` is what the edit made; the one before it.
    core::Parameter before(const core::Parameter &present) const;
    /// `present` is what was before the edit; the one that it made.
    core::Parameter after(const core::Parameter &present) const;
    /// This edit and the one that followed it, as one.
    MatrixDelta then(const MatrixDelta &later) const;

    /// Not one number differs.
    bool empty() const { return m_cells.empty() && !m_isWhole; }
    /// What keeping it costs.
    std::size_t bytes() const;

  private:
    struct Cell {
        std::uint32_t row, column;
        float before, after;
    };
    static core::Parameter patched(const core::Parameter &present, const std::vector<Cell> &cells,
                                   float Cell::*which);

    std::vector<Cell> m_cells; // in their order
    bool m_isWhole = false;
    core::Parameter m_before, m_after; // where it is whole
    // The very matrices, as long as somebody else has them: the trace knows its stages by them, so
    // that going back to one computes nothing that is still there.
    std::weak_ptr<const core::ParameterMatrix> m_knownBefore, m_knownAfter;
};

} // namespace headlight::ui
