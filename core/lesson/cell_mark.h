// The selection as a mark of a lesson's text.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// Returns a mark for the selected cell that numberOf() can read: "weights 0 0 bank money". Uses a
/// word if it identifies the token ("bank#2" is its second occurrence), else an index. For a row
/// without a column it returns a row function: "most weights 0 0 bank", "length context 0 0 bank".
/// Computes nothing. Empty if nothing is selected or the trace does not have the cell.
std::string cellMark(const Selection &selection, const Trace &trace);

} // namespace headlight::core
