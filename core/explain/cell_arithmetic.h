// The arithmetic of one number: its derivation, written out.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// "mat → cat:  0.41·0.30 + … = 0.1234". The selection has a row and a column; empty where the
/// trace has no such cell.
Line cellArithmetic(const Trace &trace, const Selection &selection);

} // namespace headlight::core
