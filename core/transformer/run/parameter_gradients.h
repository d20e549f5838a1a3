// Where the gradients of the parameters are added up: a matrix of its shape for each that a model
// has.
#pragma once

#include "core/transformer/plan/plan.h"

#include <map>
#include <span>
#include <stop_token>

namespace headlight::core {

class ParameterGradients {
  public:
    /// Zeros; throws Cancelled once `stop` is requested.
    ParameterGradients(const ModelParameters &weights, const std::stop_token &stop);

    /// That of a head's share; empty where the model does not have the parameter.
    MutableMatrixView of(const ParameterSlice &slice, Index heads = 1, Index head = 0);
    /// The only row of a bias or gain; nothing where there is none.
    std::span<float> rowOf(const ParameterSlice &slice);

    /// The gradients in the places of their parameters.
    ModelParameters take();

  private:
    ModelParameters m_weights;
    std::map<ParameterId, Matrix> m_gradients;
};

} // namespace headlight::core
