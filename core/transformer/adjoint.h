// What has flowed back to a stage so far: dL/d(stage) while it is being summed up.
#pragma once

#include "core/tensor/tensor.h"

namespace headlight::core {

struct Adjoint {
    Shape shape{};
    std::vector<float> values{}; ///< in row-major order; empty: nothing flows here

    static Adjoint zeros(const Shape &shape);

    bool isNull() const { return values.empty(); }
    /// As Tensor::matrix().
    MutableMatrixView matrix(Index sequence, Index head = 0) {
        return matrixOf(values, shape, sequence, head);
    }
    /// The rows of all sequences one after the other: [B·T, C] of a stage [B, T, C].
    MutableMatrixView rows();
    /// Adds one of the same shape; either may be null.
    void add(Adjoint other);
    void add(const Tensor &tensor);
};

/// The rows of all sequences one after the other.
MatrixView rowsOf(const Tensor &tensor);

/// [B, T, H·d] as [B, H, T, d], and back.
Adjoint splitHeads(Adjoint &together, Index heads);
Adjoint joinHeads(Adjoint &heads);

} // namespace headlight::core
