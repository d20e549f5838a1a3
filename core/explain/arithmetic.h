// The arithmetic that made a number, or a row, with every number in it.
#pragma once

#include "core/explain/line.h"
#include "core/selection/selection.h"
#include "core/transformer/trace/trace.h"

namespace headlight::core {

/// Of the selected cell "0.41·0.30 + … = 0.1234", of a row the same with vectors; begins with where
/// it is: "mat → cat:". Empty where no row is selected, or none that is there.
Line arithmeticOf(const Trace &trace, const Selection &selection);

} // namespace headlight::core
