// A learned matrix as a view: where its numbers lie, of which type and with which strides, and the
// few of them that a person has set to something else. An edit copies no matrix.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"
#include "core/tensor/number_storage.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headlight::core {

/// How a matrix lies in a storage: the number of row r and column c is number offset + r·rowStride
/// + c·columnStride of it. A file of [out, in] is read as [in, out] with rowStride 1.
struct NumberLayout {
    NumberType type = NumberType::F32;
    Index rows = 0;
    Index columns = 0;
    Index offset = 0;
    Index rowStride = 0;
    Index columnStride = 1;
    bool operator==(const NumberLayout &) const = default;
};

/// Rows and columns of a matrix, from `row` and `column` on.
struct MatrixBlock {
    Index row = 0;
    Index column = 0;
    Index rows = 0;
    Index columns = 0;
    bool operator==(const MatrixBlock &) const = default;
};

/// A number that stands for the one of the storage.
struct CellEdit {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    float value = 0;
};

/// Immutable. Its base is a storage with a layout, which all matrices share that were edited from
/// it; its edits are none of them, row by row, that has the base's very bits: so a number that is
/// set back is the base's again, and without an edit the matrix is the base.
class ParameterMatrix {
  public:
    explicit ParameterMatrix(Matrix matrix);
    /// Numbers that somebody else has as well: nothing is copied.
    explicit ParameterMatrix(const SharedMatrix &matrix);
    /// Errors: the layout reaches beyond the storage, or counts backwards.
    static Result<std::shared_ptr<const ParameterMatrix>> create(StoragePointer storage,
                                                                 const NumberLayout &layout);

    Index rows() const { return m_layout.rows; }
    Index columns() const { return m_layout.columns; }
    const NumberLayout &layout() const { return m_layout; }
    MatrixBlock whole() const { return {0, 0, rows(), columns()}; }
    /// NaN where it cannot be read: who shows it says so, and no number.
    float operator()(Index row, Index column) const {
        assert(row >= 0 && row < rows() && column >= 0 && column < columns());
        if (m_floats && !m_edits)
            return m_floats[row * m_layout.rowStride + column * m_layout.columnStride];
        return number(row, column).value_or(kUnreadable);
    }
    /// None where it cannot be read.
    std::optional<float> number(Index row, Index column) const;

    /// The block where it stands, if its numbers are floats in memory, row by row, and none is
    /// edited. Its `storage()` keeps them.
    std::optional<SharedMatrix> plain(const MatrixBlock &block) const;
    /// The same of its transpose: [columns, rows] of numbers that stand column by column.
    std::optional<SharedMatrix> plainTransposed(const MatrixBlock &block) const;
    /// The numbers of a row are farther apart than those of a column.
    bool standsTransposed() const { return m_layout.rowStride < m_layout.columnStride; }
    /// Copies the block, or its transpose. Errors: a file that cannot be read.
    Outcome copy(const MatrixBlock &block, MutableMatrixView out) const;
    Outcome copyTransposed(const MatrixBlock &block, MutableMatrixView out) const;
    /// Where it stands, or else a copy. Errors: as copy().
    Result<SharedMatrix> read(const MatrixBlock &block) const;
    /// A copy of all of it.
    Result<Matrix> toMatrix() const;

    /// With these numbers in it; of a cell that is said twice the last one counts. Where more cells
    /// than `mostEdits()` would be edited, a copy that has them all.
    friend std::shared_ptr<const ParameterMatrix>
    withCells(const std::shared_ptr<const ParameterMatrix> &before, std::vector<CellEdit> cells);
    /// An edit copies the list of them: so many take about 0.1 ms. Never more than an eighth of
    /// the numbers, so that a small matrix is copied instead.
    Index mostEdits() const;
    std::span<const CellEdit> edits() const {
        return m_edits ? std::span<const CellEdit>(*m_edits) : std::span<const CellEdit>();
    }
    /// The same storage and layout.
    bool hasBaseOf(const ParameterMatrix &other) const {
        return m_storage == other.m_storage && m_layout == other.m_layout;
    }
    /// The file that its numbers are in; null: they are in memory.
    NumberSourcePointer source() const { return m_storage->source(); }
    /// In bytes, the shared base with it.
    std::size_t memory() const;

  private:
    using Edits = std::shared_ptr<const std::vector<CellEdit>>;

    static const float kUnreadable;

    ParameterMatrix(StoragePointer storage, const NumberLayout &layout, Edits edits);
    Index place(Index row, Index column) const {
        return m_layout.offset + row * m_layout.rowStride + column * m_layout.columnStride;
    }
    std::optional<float> baseNumber(Index row, Index column) const;
    bool isEdited(const MatrixBlock &block) const;
    Outcome copyBase(const MatrixBlock &block, MutableMatrixView out, bool transposed) const;
    void layEdits(const MatrixBlock &block, MutableMatrixView out, bool transposed) const;

    StoragePointer m_storage;
    NumberLayout m_layout;
    const float *m_floats = nullptr; ///< number 0, 0, where it is a float in memory
    Edits m_edits;                   ///< in their order; null: none
};

/// Null: the model does not have it.
using Parameter = std::shared_ptr<const ParameterMatrix>;

inline Parameter makeParameter(Matrix matrix) {
    return std::make_shared<const ParameterMatrix>(std::move(matrix));
}
inline Parameter makeParameter(const SharedMatrix &matrix) {
    return std::make_shared<const ParameterMatrix>(matrix);
}

Parameter withCells(const Parameter &before, std::vector<CellEdit> cells);
/// With `numbers` in place of the block that begins there.
Parameter withBlock(const Parameter &before, Index row, Index column, MatrixView numbers);

} // namespace headlight::core
