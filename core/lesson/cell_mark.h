// Writes the selection as a mark in a lesson's text.
#pragma once

#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

#include <string>

namespace headlight::core {

/// Returns a mark for the selected cell that numberOf() can read: "weights 0 0 bank money". Uses a
/// word if it identifies the token ("bank#2" is its second occurrence), otherwise an index. For a
/// row without a column, returns a row function: "most weights 0 0 bank", "length context 0 0
/// bank". Computes nothing. Empty if no row is selected or the trace does not have the cell.
std::string cellMark(const Selection &selection, const Trace &trace);

} // namespace headlight::core
