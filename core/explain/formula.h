// The formula of a stage in symbols, as this model has it.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// "Q = X · W_Q + b_Q", and a note of what that means; of a captured stage its symbol alone.
Line formulaOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
