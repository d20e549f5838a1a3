#include "core/explain/arithmetic.h"

#include "core/explain/cell_arithmetic.h"
#include "core/explain/row_arithmetic.h"
#include "core/explain/sources.h"

namespace headlight::core {

Line arithmeticOf(const Trace &trace, const Selection &selection) {
    const auto region = regionOf(trace.plan(), selection);
    if (!region || !region->row)
        return {};
    return region->column ? cellArithmetic(trace, selection) : rowArithmetic(trace, selection);
}

} // namespace headlight::core
