#include "core/operations/linear.h"

#include "core/tensor/product.h"

namespace headlight::core {

void linearParametersBackward(MatrixView x, MatrixView outGradient,
                              MutableMatrixView weightGradient, std::span<float> biasGradient,
                              const std::stop_token &stop) {
    if (!MatrixView(weightGradient).empty())
        addTransposedProduct(x, outGradient, weightGradient, stop);
    if (biasGradient.empty())
        return;
    assert(static_cast<Index>(biasGradient.size()) == outGradient.columns);
    std::vector<double> sums(biasGradient.size());
    for (Index r = 0; r < outGradient.rows; ++r) {
        const std::span<const float> row = outGradient.row(r);
        for (std::size_t c = 0; c < row.size(); ++c)
            sums[c] += static_cast<double>(row[c]);
    }
    for (std::size_t c = 0; c < sums.size(); ++c)
        biasGradient[c] += static_cast<float>(sums[c]);
}

} // namespace headlight::core
