// A number of a trace as a short Python program that computes it again.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// A script that needs nothing but NumPy: the exact inputs of the selected cell as float64 arrays,
/// only those that it depends on, and a line for each step of the plan from there. Its last line
/// prints the value. The trace computes in float32, so the two differ within float's rounding.
/// Starts from the vectors that enter the step: q and K for a weight, not the embeddings. Errors: a
/// place outside the trace, or no cell.
Result<std::string> numpyScript(const Trace &trace, const Selection &place);

} // namespace headlight::core
