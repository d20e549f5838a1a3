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

void meanBackward(MatrixView outGradient, Index real, MutableMatrixView gradient) {
    assert(real >= 1 && real <= outGradient.rows);
    assert(outGradient.rows == gradient.rows && outGradient.columns == gradient.columns);
    for (Index column = 0; column < gradient.columns; ++column) {
        double sum = 0; // padding rows are replaced by the mean too, but do not contribute to it
        for (Index row = 0; row < gradient.rows; ++row)
            sum += static_cast<double>(outGradient(row, column));
        const auto share = static_cast<float>(sum / static_cast<double>(real));
        for (Index row = 0; row < gradient.rows; ++row)
            gradient(row, column) = row < real ? share : 0;
    }
}

} // namespace headlight::core
