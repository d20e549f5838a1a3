// The arithmetic of one value: its derivation, written out.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns "mat → cat:  0.41·0.30 + … = 0.1234". The selection must have a row and a column. Empty
/// if the trace does not have the cell.
Line cellArithmetic(const Trace &trace, const Selection &selection);

} // namespace headlight::core
