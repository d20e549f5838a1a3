// Rows and columns of a parameter, such as those of one head.
#pragma once

#include "core/transformer/model/parameter_matrix.h"

#include <optional>
#include <vector>

namespace headlight::core {

class ParameterBlock {
  public:
    ParameterBlock() = default; ///< none: empty
    explicit ParameterBlock(Parameter parameter);
    /// The block must lie within the parameter, which exists.
    ParameterBlock(Parameter parameter, const MatrixBlock &block);

    Index rows = 0;
    Index columns = 0;

    bool exists() const { return m_parameter != nullptr; }
    bool empty() const { return rows == 0 || columns == 0; }
    const Parameter &parameter() const { return m_parameter; }
    MatrixBlock place() const { return {m_row, m_column, rows, columns}; }
    /// NaN where it cannot be read.
    float operator()(Index row, Index column) const {
        return (*m_parameter)(m_row + row, m_column + column);
    }
    ParameterBlock rowBlock(Index first, Index count) const {
        return {m_parameter, {m_row + first, m_column, count, columns}};
    }
    ParameterBlock columnBlock(Index first, Index count) const {
        return {m_parameter, {m_row, m_column + first, rows, count}};
    }
    /// Of all its numbers a copy; NaN where they cannot be read.
    std::vector<float> row(Index row) const;
    /// Where they stand, or else a copy. Errors: as ParameterMatrix::copy().
    Result<SharedMatrix> read() const;
    Outcome copy(MutableMatrixView out) const { return m_parameter->copy(place(), out); }
    Outcome copyTransposed(MutableMatrixView out) const {
        return m_parameter->copyTransposed(place(), out);
    }
    std::optional<SharedMatrix> plain() const { return m_parameter->plain(place()); }
    std::optional<SharedMatrix> plainTransposed() const {
        return m_parameter->plainTransposed(place());
    }

  private:
    Parameter m_parameter;
    Index m_row = 0;
    Index m_column = 0;
};

/// The same numbers in the same shape, bit for bit. Of the same rows and columns of one base only
/// the edits are looked at. What cannot be read is not the same.
bool sameNumbers(const ParameterBlock &a, const ParameterBlock &b);
/// Of two matrices; two that do not exist are the same.
bool sameNumbers(const Parameter &a, const Parameter &b);

} // namespace headlight::core
