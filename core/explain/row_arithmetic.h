// The arithmetic of a row: the vectors that it was made of.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// "mat:  ( 0.41 … ) · W_Q = ( 0.12 … )". The selection has a row and no column; empty where the
/// trace has no such row.
Line rowArithmetic(const Trace &trace, const Selection &selection);

} // namespace headlight::core
