// The matrix that contains a value. For a stage that is computed one head or row at a time, it
// contains only the value's row. Explaining a cell of an 8000 × 8000 matrix thus computes only one
// row.
#pragma once

#include "core/transformer/trace/trace.h"

namespace headlight::core {

class MatrixPart {
  public:
    Index rows = 0; ///< number of rows of the whole matrix
    Index columns = 0;

    MatrixPart() = default;
    explicit MatrixPart(SharedMatrix whole)
        : rows(whole.rows), columns(whole.columns), m_numbers(std::move(whole)) {}
    /// A matrix of `allRows` rows. Only row `at` is available, as `row`.
    MatrixPart(SharedMatrix row, Index at, Index allRows)
        : rows(allRows), columns(row.columns), m_numbers(std::move(row)), m_first(at) {}

    bool empty() const { return m_numbers.empty(); }
    float operator()(Index row, Index column) const { return m_numbers(row - m_first, column); }
    std::span<const float> row(Index index) const & { return m_numbers.row(index - m_first); }
    void row(Index) const && = delete; // a temporary may be the only owner of the values
    MatrixPart columnBlock(Index first, Index count) const {
        MatrixPart part = *this;
        part.columns = count;
        part.m_numbers = m_numbers.columnBlock(first, count);
        return part;
    }

  private:
    SharedMatrix m_numbers;
    Index m_first = 0;
};

/// Returns the matrix of a step in one sequence and head, with at least row `row`. Empty if it
/// cannot be computed or does not have the row.
inline MatrixPart partAt(const Trace &trace, StepId step, Index sequence, Index head, Index row) {
    const Index rows = trace.plan()[step].shape.last(1);
    if (!trace.isByHead(step) && !trace.isByRow(step))
        return MatrixPart(trace.matrix(step, sequence, head));
    if (row < 0 || row >= rows)
        return {};
    return {trace.rows(step, sequence, head, {row, 1}), row, rows};
}

} // namespace headlight::core
