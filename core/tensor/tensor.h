// An immutable tensor: what a stage of the computation holds. Copies share the numbers.
#pragma once

#include "core/tensor/matrix.h"
#include "core/tensor/shape.h"

#include <memory>
#include <vector>

namespace headlight::core {

class Tensor {
  public:
    /// No tensor at all: what asking for an absent stage returns.
    Tensor() = default;
    /// `values` are in row-major order, the last axis fastest: exactly shape.count() numbers.
    Tensor(Shape shape, std::vector<float> values);

    bool isNull() const { return !m_values; }
    const Shape &shape() const & { return m_shape; }
    Shape shape() const && { return m_shape; }
    const std::vector<float> &values() const & { return *m_values; }
    std::vector<float> values() const && { return *m_values; } // the last to share them, maybe

    /// The matrix of the last two axes for one sequence of the batch (rank 3: [B, rows, columns];
    /// rank 4: `head` of it). Batch or heads of size 1 stand for every sequence or head.
    SharedMatrix matrix(Index sequence, Index head = 0) const;
    /// The same, good for as long as this tensor is.
    MatrixView view(Index sequence, Index head = 0) const &;
    void view(Index, Index = 0) const && = delete;

    /// Two tensors with the same storage are the same computation's result: nothing downstream of
    /// it has changed.
    const void *identity() const { return m_values.get(); }
    /// Keeps the numbers alive without the tensor, for those who remember an identity.
    std::shared_ptr<const void> storage() const { return m_values; }

  private:
    Shape m_shape;
    std::shared_ptr<const std::vector<float>> m_values;
};

/// One matrix of a tensor that is still being filled: `values` has the shape's layout.
MutableMatrixView matrixOf(std::vector<float> &values, const Shape &shape, Index sequence,
                           Index head = 0);

} // namespace headlight::core
