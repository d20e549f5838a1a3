// The chain rule as lines: the formula of a stage's gradient in symbols, and its arithmetic for the
// selected cell.
#pragma once

#include "core/explain/gradients/backward_pass.h"
#include "core/explain/line.h"
#include "core/selection/selection.h"

namespace headlight::core {

/// Returns "∂loss/∂Q = ∂loss/∂QKᵀ · K", with one term for each step that reads the stage.
Line backFormulaOf(const BackwardPass &backwardPass, const Selection &selection);

/// Returns "0.11·0.52 + … = 0.0123" for the selected cell; empty if no cell is selected.
Line backArithmeticOf(const BackwardPass &backwardPass, const Selection &selection);

} // namespace headlight::core
