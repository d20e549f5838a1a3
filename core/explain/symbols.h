// Symbols of stages and parameters in formulas and figures.
#pragma once

#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// Returns, for example, "Q" or "S + M". The input of the layers is always "X". In a layer with two
/// attention blocks, "R′" is the residual stream after the second, which adds to "R".
std::string symbolOf(const Trace &trace, StageId at);

/// Returns the subscript of W and b: "Q" for W_Q. Empty for parameters with another notation.
std::string letterOf(ParameterKind which);

/// Returns the colour role of a step's parameters: the stage's role, but the context's for W_O.
Role roleOfParameters(const Step &step);

} // namespace headlight::core
