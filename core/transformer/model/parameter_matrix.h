// A parameter matrix as a view: a storage with a number type and strides, and the few values that
// the user has changed. An edit does not copy the matrix.
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

/// The memory layout of a matrix: the value at (row, column) is at offset + row·rowStride +
/// column·columnStride of the storage. A matrix [out, in] in a file is read as [in, out], with a
/// rowStride of 1.
struct NumberLayout {
    NumberType type = NumberType::F32;
    Index rows = 0;
    Index columns = 0;
    Index offset = 0;
    Index rowStride = 0;
    Index columnStride = 1;
    bool operator==(const NumberLayout &) const = default;
};

/// A block of a matrix that starts at `row` and `column`.
struct MatrixBlock {
    Index row = 0;
    Index column = 0;
    Index rows = 0;
    Index columns = 0;
    bool operator==(const MatrixBlock &) const = default;
};

/// A value that replaces the one in the storage.
struct CellEdit {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    float value = 0;
};

/// An immutable parameter matrix: a base and a list of edits. The base is a storage with a layout,
/// shared by all matrices that result from editing it. The edits are sorted by row, then column,
/// and always differ from the base: restoring a value removes its edit.
class ParameterMatrix {
  public:
    explicit ParameterMatrix(Matrix matrix);
    /// Shares the matrix without copying it.
    explicit ParameterMatrix(const SharedMatrix &matrix);
    /// Errors: the layout exceeds the storage, or its offset or a stride is negative.
    static Result<std::shared_ptr<const ParameterMatrix>> create(StoragePointer storage,
                                                                 const NumberLayout &layout);

    Index rows() const { return m_layout.rows; }
    Index columns() const { return m_layout.columns; }
    const NumberLayout &layout() const { return m_layout; }
    MatrixBlock whole() const { return {0, 0, rows(), columns()}; }
    /// Returns NaN if the value cannot be read.
    float operator()(Index row, Index column) const {
        assert(row >= 0 && row < rows() && column >= 0 && column < columns());
        if (m_floats && !m_edits)
            return m_floats[row * m_layout.rowStride + column * m_layout.columnStride];
        return number(row, column).value_or(kUnreadable);
    }
    /// Returns nullopt if the value cannot be read.
    std::optional<float> number(Index row, Index column) const;

    /// Returns a view of the block if it is stored as floats in memory, row-major and without
    /// edits. The view's storage() keeps the values alive.
    std::optional<SharedMatrix> plain(const MatrixBlock &block) const;
    /// Returns a view of the transposed block [columns, rows] if it is stored column-major.
    std::optional<SharedMatrix> plainTransposed(const MatrixBlock &block) const;
    /// Returns the block in its encoded form if its lines are contiguous, consist of whole encoded
    /// blocks and have no edits. The lines are the columns if standsTransposed(), otherwise the
    /// rows. After using the result, call checkEncoded().
    std::optional<EncodedMatrix> encoded(const MatrixBlock &block) const;
    /// Like encoded(), but with the values before all edits.
    std::optional<EncodedMatrix> encodedBase(const MatrixBlock &block) const;
    /// Returns the lines of encodedBase() that have edits, in order.
    std::vector<Index> editedLines(const MatrixBlock &block) const;
    /// Errors: those of copy().
    Outcome checkEncoded() const { return m_storage->checkEncoded(); }
    void releasePages() const { m_storage->releasePages(); }
    /// True if the matrix is stored column-major.
    bool standsTransposed() const { return m_layout.rowStride < m_layout.columnStride; }
    /// Copies the block or its transpose. Errors: the file cannot be read.
    Outcome copy(const MatrixBlock &block, MutableMatrixView out) const;
    Outcome copyTransposed(const MatrixBlock &block, MutableMatrixView out) const;
    /// Returns a view of the block if possible, otherwise a copy. Errors: those of copy().
    Result<SharedMatrix> read(const MatrixBlock &block) const;
    /// Returns a copy of the whole matrix.
    Result<Matrix> toMatrix() const;

    /// Returns `before` with these cells changed. If a cell occurs more than once, the last one
    /// wins. Returns a full copy if there are more than maxEdits() edits.
    friend std::shared_ptr<const ParameterMatrix>
    withCells(const std::shared_ptr<const ParameterMatrix> &before, std::vector<CellEdit> cells);
    /// Returns the maximum number of edits. Every edit copies the list, which takes about 0.1 ms at
    /// this size. The maximum is at most an eighth of the values, so that small matrices are copied
    /// instead.
    Index maxEdits() const;
    std::span<const CellEdit> edits() const {
        return m_edits ? std::span<const CellEdit>(*m_edits) : std::span<const CellEdit>();
    }
    /// True if both have the same storage and layout.
    bool hasBaseOf(const ParameterMatrix &other) const {
        return m_storage == other.m_storage && m_layout == other.m_layout;
    }
    /// Returns the file that contains the values; null if they are in memory.
    NumberSourcePointer source() const { return m_storage->source(); }
    /// Returns the size in bytes, including the shared base.
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
    const float *m_floats = nullptr; ///< value at (0, 0); null unless floats in memory
    Edits m_edits;                   ///< sorted; null: no edits
};

/// Null if the model does not have the parameter.
using Parameter = std::shared_ptr<const ParameterMatrix>;

inline Parameter makeParameter(Matrix matrix) {
    return std::make_shared<const ParameterMatrix>(std::move(matrix));
}
inline Parameter makeParameter(const SharedMatrix &matrix) {
    return std::make_shared<const ParameterMatrix>(matrix);
}

Parameter withCells(const Parameter &before, std::vector<CellEdit> cells);
/// Returns `before` with `numbers` written at `row` and `column`.
Parameter withBlock(const Parameter &before, Index row, Index column, MatrixView numbers);

} // namespace headlight::core
