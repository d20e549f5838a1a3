// An immutable tensor: the result of a stage of the computation. Copies share the numbers.
#pragma once

#include "core/tensor/matrix.h"
#include "core/tensor/numbers.h"
#include "core/tensor/shape.h"

#include <algorithm>
#include <concepts>
#include <memory>
#include <span>
#include <vector>

namespace headlight::core {

/// A contiguous array of numbers with shared ownership.
class SharedNumbers {
  public:
    SharedNumbers() = default;
    template <typename Allocator>
    explicit SharedNumbers(std::vector<float, Allocator> numbers) {
        const auto owner =
            std::make_shared<const std::vector<float, Allocator>>(std::move(numbers));
        m_numbers = *owner;
        m_storage = owner;
    }

    /// Shares the numbers of a matrix, whose rows must be contiguous.
    explicit SharedNumbers(const SharedMatrix &matrix)
        : m_numbers(matrix.view().data, static_cast<std::size_t>(matrix.rows * matrix.columns)),
          m_storage(matrix.storage()) {
        assert(matrix.view().stride == matrix.columns);
    }

    const float *data() const { return m_numbers.data(); }
    std::size_t size() const { return m_numbers.size(); }
    bool empty() const { return m_numbers.empty(); }
    auto begin() const { return m_numbers.begin(); }
    auto end() const { return m_numbers.end(); }
    const float &operator[](std::size_t index) const { return m_numbers[index]; }
    const float &front() const { return m_numbers.front(); }
    const std::shared_ptr<const void> &storage() const { return m_storage; }
    /// Returns a copy of the numbers.
    operator std::vector<float>() const { return {begin(), end()}; }
    friend bool operator==(const SharedNumbers &a, const SharedNumbers &b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }
    friend bool operator==(const SharedNumbers &a, const std::vector<float> &b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    }

  private:
    std::span<const float> m_numbers;
    std::shared_ptr<const void> m_storage;
};

class Tensor {
  public:
    /// The null tensor, which represents a missing stage.
    Tensor() = default;
    /// `values` must be in row-major order: exactly shape.count() numbers.
    Tensor(Shape shape, std::vector<float> values)
        : Tensor(SharedNumbers(std::move(values)), std::move(shape)) {}
    /// A matrix as a tensor [1, 1, rows, columns], which shares its numbers. Its rows must be
    /// contiguous.
    explicit Tensor(const SharedMatrix &matrix)
        : m_shape{1, 1, matrix.rows, matrix.columns}, m_values(matrix) {}
    template <std::same_as<Numbers> Values> // excludes braced lists, which are plain vectors
    Tensor(Shape shape, Values values)
        : Tensor(SharedNumbers(std::move(values)), std::move(shape)) {}

    bool isNull() const { return !m_values.storage(); }
    const Shape &shape() const & { return m_shape; }
    Shape shape() const && { return m_shape; }
    const SharedNumbers &values() const & { return m_values; }
    SharedNumbers values() const && { return m_values; } // this may be the last owner

    /// Returns the matrix of the last two axes for one sequence (rank 3: [B, rows, columns]; rank
    /// 4: its `head`). A batch or head axis of size 1 is used for every sequence or head.
    SharedMatrix matrix(Index sequence, Index head = 0) const;
    /// Like matrix(), but valid only as long as this tensor.
    MatrixView view(Index sequence, Index head = 0) const &;
    void view(Index, Index = 0) const && = delete;

    /// Tensors with the same identity come from the same computation, so later stages are the same
    /// as well.
    const void *identity() const { return m_values.storage().get(); }
    /// Returns the owner of the numbers, which keeps them and the identity alive without the
    /// tensor.
    std::shared_ptr<const void> storage() const { return m_values.storage(); }

  private:
    Tensor(SharedNumbers values, Shape shape);

    Shape m_shape;
    SharedNumbers m_values;
};

/// Returns one matrix of a tensor under construction. `values` has the layout of `shape`.
MutableMatrixView matrixOf(std::vector<float> &values, const Shape &shape, Index sequence,
                           Index head = 0);

} // namespace headlight::core
