// Exports the computation of a value as a short Python script.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// Returns a script that needs only NumPy. It defines the exact inputs that the selected cell
/// depends on as float64 arrays, and then computes each step of the plan in one line. The last line
/// prints the value. The trace computes in float32, so results differ by float rounding. Inputs are
/// the vectors that enter the step: q and K for a weight, not the embeddings. Errors: the selection
/// is outside the trace or has no cell.
Result<std::string> numpyScript(const Trace &trace, const Selection &place);

} // namespace headlight::core
