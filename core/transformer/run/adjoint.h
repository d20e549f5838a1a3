// The gradients that accumulate in a backward pass: for a stage, dL/d(stage), and for all
// parameters of a model.
#pragma once

#include "core/cancelled.h"
#include "core/tensor/tensor.h"
#include "core/transformer/plan/plan.h"

#include <map>
#include <span>
#include <stop_token>

namespace headlight::core {

/// Returns `count` zeros. Clears long lists in pieces, because this can take a noticeable time.
/// Throws Cancelled after `stop` was requested.
std::vector<float> zeros(std::size_t count, const std::stop_token &stop = {});

/// A gradient of a stage, with the stage's shape. Null if the stage has no gradient.
struct Adjoint {
    Shape shape{};
    std::vector<float> values{}; ///< row-major

    /// Returns a gradient of zeros. Throws like zeros().
    static Adjoint zeros(const Shape &shape, const std::stop_token &stop = {});

    bool isNull() const { return values.empty(); }
    /// Returns one matrix, like Tensor::matrix().
    MutableMatrixView matrix(Index sequence, Index head = 0) {
        return matrixOf(values, shape, sequence, head);
    }
    /// Returns the rows of all sequences: [B·T, C] for a stage [B, T, C].
    MutableMatrixView rows();
    /// Adds a gradient of the same shape. Either gradient may be null.
    void add(Adjoint other);
    void add(const Tensor &tensor, const std::stop_token &stop = {}); ///< throws like zeros()
};

/// Returns the rows of all sequences as one matrix.
MatrixView rowsOf(const Tensor &tensor);

/// Converts [B, T, H·d] to [B, H, T, d] and back.
Adjoint splitHeads(Adjoint &together, Index heads);
Adjoint joinHeads(Adjoint &heads);

/// Accumulates the gradients of all parameters of a model, as matrices with the same shapes.
class ParameterGradients {
  public:
    /// Starts with zeros. Throws Cancelled after `stop` was requested.
    ParameterGradients(const ModelParameters &weights, const std::stop_token &stop);

    /// Returns the gradient for a head's slice; empty if the model does not have the parameter.
    MutableMatrixView of(const ParameterSlice &slice, Index heads = 1, Index head = 0);
    /// Returns the gradient of a bias or gain; empty if the model does not have it.
    std::span<float> rowOf(const ParameterSlice &slice);

    /// Returns the gradients in the structure of the model's parameters.
    ModelParameters take();

  private:
    ModelParameters m_weights;
    std::map<ParameterId, Matrix> m_gradients;
};

} // namespace headlight::core
