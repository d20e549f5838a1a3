#include "core/analysis/smallest_change.h"

#include "core/analysis/row_measures.h"

#include <cmath>

namespace headlight::core {

Result<Matrix> smallestChange(MatrixView weights, std::span<const float> x,
                              std::span<const double> delta) {
    const double square = std::pow(normOf(x), 2);
    if (!(square > 0))
        return Error{"this token's vector is zero, so its product with any matrix is zero", "",
                     "change the token's embedding first"};
    Matrix changed(weights.rows, weights.columns);
    for (Index row = 0; row < weights.rows; ++row) {
        const double share = static_cast<double>(x[static_cast<std::size_t>(row)]) / square;
        for (Index column = 0; column < weights.columns; ++column)
            changed(row, column) =
                static_cast<float>(static_cast<double>(weights(row, column)) +
                                   share * delta[static_cast<std::size_t>(column)]);
    }
    return changed;
}

} // namespace headlight::core
