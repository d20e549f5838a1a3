// An immutable tensor: what a stage of the computation holds. Copies share the numbers.
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

/// Numbers in one piece, which live as long as any that shares them.
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

    /// Those of a matrix whose rows lie one after the other.
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
    /// A copy of their own.
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
    /// No tensor at all: what asking for an absent stage returns.
    Tensor() = default;
    /// `values` are in row-major order, the last axis fastest: exactly shape.count() numbers.
    Tensor(Shape shape, std::vector<float> values)
        : Tensor(SharedNumbers(std::move(values)), std::move(shape)) {}
    /// A matrix whose rows lie one after the other, as [1, 1, rows, columns]. Its numbers are
    /// shared.
    explicit Tensor(const SharedMatrix &matrix)
        : m_shape{1, 1, matrix.rows, matrix.columns}, m_values(matrix) {}
    template <std::same_as<Numbers> Values> // what stands in braces is a plain vector
    Tensor(Shape shape, Values values)
        : Tensor(SharedNumbers(std::move(values)), std::move(shape)) {}

    bool isNull() const { return !m_values.storage(); }
    const Shape &shape() const & { return m_shape; }
    Shape shape() const && { return m_shape; }
    const SharedNumbers &values() const & { return m_values; }
    SharedNumbers values() const && { return m_values; } // the last to share them, maybe

    /// The matrix of the last two axes for one sequence of the batch (rank 3: [B, rows, columns];
    /// rank 4: `head` of it). Batch or heads of size 1 stand for every sequence or head.
    SharedMatrix matrix(Index sequence, Index head = 0) const;
    /// The same, good for as long as this tensor is.
    MatrixView view(Index sequence, Index head = 0) const &;
    void view(Index, Index = 0) const && = delete;

    /// Two tensors with the same storage are the same computation's result: nothing downstream of
    /// it has changed.
    const void *identity() const { return m_values.storage().get(); }
    /// Keeps the numbers alive without the tensor, for those who remember an identity.
    std::shared_ptr<const void> storage() const { return m_values.storage(); }

  private:
    Tensor(SharedNumbers values, Shape shape);

    Shape m_shape;
    SharedNumbers m_values;
};

/// One matrix of a tensor that is still being filled: `values` has the shape's layout.
MutableMatrixView matrixOf(std::vector<float> &values, const Shape &shape, Index sequence,
                           Index head = 0);

} // namespace headlight::core
