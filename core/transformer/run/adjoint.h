// What has flowed back to a stage so far: dL/d(stage) while it is being summed up.
#pragma once

#include "core/cancelled.h"
#include "core/tensor/tensor.h"

#include <stop_token>

namespace headlight::core {

/// So many zeros. A long list takes longer to clear than a person waits: piece by piece, and throws
/// Cancelled once `stop` is requested.
std::vector<float> zeros(std::size_t count, const std::stop_token &stop = {});

/// Null: nothing flows back.
struct Adjoint {
    Shape shape{};
    std::vector<float> values{}; ///< in row-major order

    /// Throws as zeros().
    static Adjoint zeros(const Shape &shape, const std::stop_token &stop = {});

    bool isNull() const { return values.empty(); }
    /// As Tensor::matrix().
    MutableMatrixView matrix(Index sequence, Index head = 0) {
        return matrixOf(values, shape, sequence, head);
    }
    /// The rows of all sequences one after the other: [B·T, C] of a stage [B, T, C].
    MutableMatrixView rows();
    /// Adds one of the same shape; either may be null.
    void add(Adjoint other);
    void add(const Tensor &tensor, const std::stop_token &stop = {}); ///< throws as zeros()
};

/// The rows of all sequences one after the other.
MatrixView rowsOf(const Tensor &tensor);

/// [B, T, H·d] as [B, H, T, d], and back.
Adjoint splitHeads(Adjoint &together, Index heads);
Adjoint joinHeads(Adjoint &heads);

} // namespace headlight::core
