// Terms of one value's gradient, one for each step that reads the value (the chain rule).
#pragma once

#include "core/explain/derivation.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/selection/selection.h"

namespace headlight::core {

/// Gradient contribution of one step that uses the value.
struct GradientTerm {
    StepId step = 0;       ///< in the trace's plan
    std::size_t which = 0; ///< index of the value among the step's inputs
    bool isLoss = false;   ///< not a step but the loss itself, at the logits
    /// Gradient · factor for each output. If there are any, `value` is their sum, except for
    /// softmax: weight · (gradient − their sum) ÷ temperature.
    std::vector<Term> terms{};
    double gradient = 0; ///< incoming gradient at the same cell; unused for a plain sum of terms
    double factor = 1;   ///< factor of the gradient; unused for a plain sum of terms
    std::optional<double> value{}; ///< none if it is not written out, as for batch norm
};

/// A step that reads the stage, found through renames, and the index of the input. Readers are in
/// the plan's order.
struct Reader {
    StepId step = 0;
    std::size_t which = 0;
};
std::vector<Reader> readersOf(const Plan &plan, StepId step);

/// Returns the terms for the selected cell. Empty if no cell is selected or it gets no gradient.
std::vector<GradientTerm> gradientTermsOf(const BackwardPass &backwardPass, const Selection &cell);

} // namespace headlight::core
