// What a person has selected, as a lesson's text names it.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// "weights 0 0 bank money": the selected number as numberOf() reads it, by words where they mean
/// just that token ("bank#2" the second of its kind), else by indices. Of a row without a column
/// what is said of rows: "most weights 0 0 bank", "length context 0 0 bank". Computes nothing.
/// Empty: nothing is selected, or the trace has no such place.
std::string cellMark(const Selection &selection, const Trace &trace);

} // namespace headlight::core
