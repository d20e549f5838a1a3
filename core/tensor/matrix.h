// Row-major matrices of 32-bit floats: owning, shared, and views of memory owned elsewhere. Store a
// matrix in a variable before taking a view. A view of a temporary does not compile, because it
// would outlive the numbers.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace headlight::core {

using Index = std::int64_t;

/// Rows first … first + count − 1 of a matrix.
struct Rows {
    Index first = 0;
    Index count = 0;
    bool operator==(const Rows &) const = default;
};

/// A read-only view of `rows` × `columns` floats. Row r starts at data + r·stride.
struct MatrixView {
    const float *data = nullptr;
    Index rows = 0;
    Index columns = 0;
    Index stride = 0;

    float operator()(Index row, Index column) const {
        assert(row >= 0 && row < rows && column >= 0 && column < columns);
        return data[row * stride + column];
    }
    std::span<const float> row(Index index) const {
        assert(index >= 0 && index < rows);
        return {data + index * stride, static_cast<std::size_t>(columns)};
    }
    bool empty() const { return rows == 0 || columns == 0; }
    /// Returns columns first … first + count − 1.
    MatrixView columnBlock(Index first, Index count) const {
        assert(first >= 0 && count >= 0 && first + count <= columns);
        return {data + first, rows, count, stride};
    }
    MatrixView rowBlock(Index first, Index count) const {
        assert(first >= 0 && count >= 0 && first + count <= rows);
        return {data + first * stride, count, columns, stride};
    }
};

/// True if both have the same shape and bits.
inline bool haveSameBits(MatrixView a, MatrixView b) {
    if (a.rows != b.rows || a.columns != b.columns)
        return false;
    for (Index row = 0; row < a.rows; ++row)
        if (std::memcmp(a.row(row).data(), b.row(row).data(), a.row(row).size_bytes()) != 0)
            return false;
    return true;
}

/// Returns a copy of a row.
inline std::vector<float> copied(std::span<const float> row) {
    return {row.begin(), row.end()};
}

/// A writable view, otherwise like MatrixView.
struct MutableMatrixView {
    float *data = nullptr;
    Index rows = 0;
    Index columns = 0;
    Index stride = 0;

    float &operator()(Index row, Index column) const {
        assert(row >= 0 && row < rows && column >= 0 && column < columns);
        return data[row * stride + column];
    }
    std::span<float> row(Index index) const {
        assert(index >= 0 && index < rows);
        return {data + index * stride, static_cast<std::size_t>(columns)};
    }
    MutableMatrixView columnBlock(Index first, Index count) const {
        assert(first >= 0 && count >= 0 && first + count <= columns);
        return {data + first, rows, count, stride};
    }
    MutableMatrixView rowBlock(Index first, Index count) const {
        assert(first >= 0 && count >= 0 && first + count <= rows);
        return {data + first * stride, count, columns, stride};
    }
    operator MatrixView() const { return {data, rows, columns, stride}; }
};

/// A read-only matrix with shared ownership of its numbers. Tensor and Trace return it, because a
/// trace may drop a stage that it computed on demand when another one is requested.
class SharedMatrix {
  public:
    SharedMatrix() = default;
    SharedMatrix(MatrixView view, std::shared_ptr<const void> storage)
        : rows(view.rows), columns(view.columns), m_view(view), m_storage(std::move(storage)) {}

    Index rows = 0;
    Index columns = 0;

    float operator()(Index row, Index column) const { return m_view(row, column); }
    bool empty() const { return m_view.empty(); }
    MatrixView view() const & { return m_view; }
    void view() const && = delete; // a temporary may be the only owner of the numbers
    operator MatrixView() const & { return m_view; }
    operator MatrixView() const && = delete;
    std::span<const float> row(Index index) const & { return m_view.row(index); }
    void row(Index) const && = delete;
    const std::shared_ptr<const void> &storage() const & { return m_storage; }
    SharedMatrix columnBlock(Index first, Index count) const {
        return {m_view.columnBlock(first, count), m_storage};
    }
    SharedMatrix rowBlock(Index first, Index count) const {
        return {m_view.rowBlock(first, count), m_storage};
    }

  private:
    MatrixView m_view;
    std::shared_ptr<const void> m_storage;
};

/// A matrix that owns its numbers, which are initially zero.
class Matrix {
  public:
    Matrix() = default;
    Matrix(Index rows, Index columns)
        : m_rows(rows), m_columns(columns), m_values(static_cast<std::size_t>(rows * columns)) {
        assert(rows >= 0 && columns >= 0);
    }
    /// `values` must contain the rows in order: exactly rows · columns numbers.
    Matrix(Index rows, Index columns, std::vector<float> values)
        : m_rows(rows), m_columns(columns), m_values(std::move(values)) {
        assert(static_cast<Index>(m_values.size()) == rows * columns);
    }

    Index rows() const { return m_rows; }
    Index columns() const { return m_columns; }
    float operator()(Index row, Index column) const { return view()(row, column); }
    float &operator()(Index row, Index column) { return view()(row, column); }
    MatrixView view() const & { return {m_values.data(), m_rows, m_columns, m_columns}; }
    MutableMatrixView view() & { return {m_values.data(), m_rows, m_columns, m_columns}; }
    void view() const && = delete;
    const std::vector<float> &values() const & { return m_values; }
    std::vector<float> values() && { return std::move(m_values); }
    bool operator==(const Matrix &) const = default;

  private:
    Index m_rows = 0;
    Index m_columns = 0;
    std::vector<float> m_values;
};

} // namespace headlight::core
