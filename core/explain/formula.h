// The formula of a stage in symbols, for this model.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Returns, for example, "Q = X · W_Q + b_Q" and an explanatory note. Returns only the symbol of a
/// captured stage.
Line formulaOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
