// A model and an input that are known to fit each other.
#pragma once

#include "core/result.h"
#include "core/transformer/model/model.h"

namespace headlight::core {

/// A model and an input that forward() can compute. The only way to create an object is of(), which
/// checks both, so code that receives one need not check again.
class Computable {
  public:
    /// Checks the config, the shapes of all parameters, the tokens, the second sequence, the
    /// interventions, and that the trace fits in kTraceBudgetBytes (trace_bytes.h). Errors name the
    /// field. Captures cannot be computed (captureError()). Fast.
    static Result<Computable> of(Model model, Input input);

    const Model &model() const { return m_model; }
    const Input &input() const { return m_input; }
    /// True for the same model and input. Compares parameters and batches by identity, so it is
    /// fast, but returns false for equal values in different matrices.
    bool isOf(const Model &model, const Input &input) const {
        return m_model == model && m_input == input;
    }

  private:
    Computable(Model model, Input input) : m_model(std::move(model)), m_input(std::move(input)) {}

    Model m_model;
    Input m_input;
};

/// The error of Computable::of() for a capture.
Error captureError();

} // namespace headlight::core
