#include "core/operations/head_state.h"

namespace headlight::core {

void replaceByMean(MutableMatrixView context, Index real) {
    assert(real >= 1 && real <= context.rows);
    for (Index column = 0; column < context.columns; ++column) {
        double sum = 0;
        for (Index row = 0; row < real; ++row)
            sum += static_cast<double>(context(row, column));
        const auto mean = static_cast<float>(sum / static_cast<double>(real));
        for (Index row = 0; row < context.rows; ++row)
            context(row, column) = mean;
    }
}

} // namespace headlight::core
