// The chain rule as lines: the formula of a stage's gradient in symbols, and the same with the
// selected numbers.
#pragma once

#include "core/explain/gradients/gradient_terms.h"
#include "core/explain/line.h"

namespace headlight::core {

/// "∂loss/∂Q = ∂loss/∂QKᵀ · K", a part for each step that reads the stage.
Line backFormulaOf(const BackwardPass &backwardPass, const Selection &selection);

/// "0.11·0.52 + … = 0.0123", of the selected cell; without one, empty.
Line backArithmeticOf(const BackwardPass &backwardPass, const Selection &selection);

} // namespace headlight::core
