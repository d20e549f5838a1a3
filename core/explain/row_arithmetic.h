// The arithmetic of a row: the vectors that it is computed from.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns "mat:  ( 0.41 … ) · W_Q = ( 0.12 … )". The selection must have a row and no column.
/// Empty if the trace does not have the row.
Line rowArithmetic(const Trace &trace, const Selection &selection);

} // namespace headlight::core
