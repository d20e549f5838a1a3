#include "core/operations/linear.h"

#include "core/tensor/product.h"

namespace headlight::core {

void linear(MatrixView x, MatrixView weight, std::span<const float> bias, MutableMatrixView out,
            const std::stop_token &stop) {
    multiply(x, weight, out, stop);
    if (bias.empty())
        return;
    assert(static_cast<Index>(bias.size()) == out.columns);
    for (Index r = 0; r < out.rows; ++r) {
        const std::span<float> row = out.row(r);
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] += bias[c];
    }
}

} // namespace headlight::core
