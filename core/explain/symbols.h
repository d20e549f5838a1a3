// The letters of stages and parameters, as the formulas and figures write them.
#pragma once

#include "core/transformer/model/parameter_id.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// "Q", "S + M"; "X" is what enters the layers, whatever was done to make it.
std::string symbolOf(const Trace &trace, Stage stage);

/// What stands beneath W and b: "Q" of W_Q. Empty for a parameter that is written otherwise.
std::string letterOf(ParameterKind which);

/// The colour of a step's parameters: that of the stage, but W_O is the context's.
Role roleOfParameters(const Step &step);

} // namespace headlight::core
