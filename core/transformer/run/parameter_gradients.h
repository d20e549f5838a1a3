// Accumulates the gradients of all parameters of a model, as matrices with the same shapes.
#pragma once

#include "core/transformer/plan/plan.h"

#include <map>
#include <span>
#include <stop_token>

namespace headlight::core {

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
