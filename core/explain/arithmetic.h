// The arithmetic of a cell or a row, with all its operands.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns "mat → cat:" and the arithmetic of the selected cell, "0.41·0.30 + … = 0.1234". For a
/// row, the operands are vectors. Empty if no row is selected or it does not exist.
Line arithmeticOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
