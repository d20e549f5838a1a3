// How the gradient of one number came to be: what flows back to it from each step that read it,
// term by term (the chain rule).
#pragma once

#include "core/explain/derivation.h"
#include "core/explain/gradients/backward_pass.h"
#include "core/selection/selection.h"

namespace headlight::core {

/// What one step that read the number passes back to it.
struct GradientTerm {
    StepId step = 0;       ///< in the trace's plan
    std::size_t which = 0; ///< the number is of what it reads there
    bool isLoss = false;   ///< no step: the loss itself, at the logits
    /// Gradient · what it was multiplied with there. Where there are any, `value` is their sum,
    /// but for a softmax: weight · (gradient − their sum) ÷ temperature.
    std::vector<Term> terms{};
    double gradient = 0;           ///< that arrives at the same place; of terms it says nothing
    double factor = 1;             ///< that it is multiplied by; of terms it says nothing
    std::optional<double> value{}; ///< none: it is not written out (a norm of a whole batch)
};

/// Which steps read the stage, past those that have no name. In the plan's order.
struct Reader {
    StepId step = 0;
    std::size_t which = 0;
};
std::vector<Reader> readersOf(const Plan &plan, StepId step);

/// Of the selection's cell; empty where there is none, or nothing flows back to it.
std::vector<GradientTerm> gradientTermsOf(const BackwardPass &backwardPass, const Selection &cell);

} // namespace headlight::core
