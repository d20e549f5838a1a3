// The lines of Python that make one number of a vector from the numbers it came from.
#pragma once

#include "core/analysis/cell_origin.h"

#include <string>

namespace headlight::core::numpy {

/// Of the cell at the place's row; `row` is its row. Not of contexts, nor of what is the same as
/// elsewhere (Origin::Weighted, Silenced, Mean, Head, Same): those are their own stages' scripts.
std::string cellScript(const Trace &trace, const Selection &place, Index row,
                       const CellExplanation &cell);

} // namespace headlight::core::numpy
