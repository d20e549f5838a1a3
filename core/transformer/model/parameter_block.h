// A block of rows and columns of a parameter, such as the block of one head. A block exists if it
// has a parameter. Even then it can be empty, without rows or columns.
#pragma once

#include "core/transformer/model/parameter_matrix.h"

#include <optional>
#include <vector>

namespace headlight::core {

class ParameterBlock {
  public:
    ParameterBlock() = default; ///< a block that does not exist
    explicit ParameterBlock(Parameter parameter);
    /// The parameter must exist and contain the block.
    ParameterBlock(Parameter parameter, const MatrixBlock &block);

    Index rows = 0;
    Index columns = 0;

    bool exists() const { return m_parameter != nullptr; }
    bool empty() const { return rows == 0 || columns == 0; }
    const Parameter &parameter() const { return m_parameter; }
    MatrixBlock place() const { return {m_row, m_column, rows, columns}; }
    /// Returns NaN if the value cannot be read.
    float operator()(Index row, Index column) const {
        return (*m_parameter)(m_row + row, m_column + column);
    }
    ParameterBlock rowBlock(Index first, Index count) const {
        return {m_parameter, {m_row + first, m_column, count, columns}};
    }
    ParameterBlock columnBlock(Index first, Index count) const {
        return {m_parameter, {m_row, m_column + first, rows, count}};
    }
    /// Returns a copy of the row, with NaN if it cannot be read.
    std::vector<float> row(Index row) const;
    /// Returns a view of the values if possible, otherwise a copy. Errors: those of
    /// ParameterMatrix::copy().
    Result<SharedMatrix> read() const;
    Outcome copy(MutableMatrixView out) const { return m_parameter->copy(place(), out); }
    Outcome copyTransposed(MutableMatrixView out) const {
        return m_parameter->copyTransposed(place(), out);
    }
    std::optional<SharedMatrix> plain() const { return m_parameter->plain(place()); }
    std::optional<SharedMatrix> plainTransposed() const {
        return m_parameter->plainTransposed(place());
    }
    std::optional<EncodedMatrix> encoded() const { return m_parameter->encoded(place()); }
    std::optional<EncodedMatrix> encodedBase() const { return m_parameter->encodedBase(place()); }
    std::vector<Index> editedLines() const { return m_parameter->editedLines(place()); }

  private:
    Parameter m_parameter;
    Index m_row = 0;
    Index m_column = 0;
};

/// True if shapes are equal and values are bit-identical. If both blocks have the same position,
/// size and base, compares only the edits. False if a value cannot be read.
bool sameNumbers(const ParameterBlock &a, const ParameterBlock &b);
/// Compares whole parameters. Two null parameters are equal.
bool sameNumbers(const Parameter &a, const Parameter &b);

} // namespace headlight::core
