#include "core/operations/scores.h"

#include "core/tensor/product.h"

namespace headlight::core {

void scoresBackward(MatrixView query, MatrixView key, MatrixView scoresGradient,
                    MutableMatrixView queryGradient, MutableMatrixView keyGradient,
                    const std::stop_token &stop) {
    multiply(scoresGradient, key, queryGradient, stop);
    addTransposedProduct(scoresGradient, query, keyGradient, stop);
}

void contextBackward(MatrixView weights, MatrixView value, MatrixView contextGradient,
                     MutableMatrixView weightsGradient, MutableMatrixView valueGradient,
                     const std::stop_token &stop) {
    multiplyTransposed(contextGradient, value, weightsGradient, stop);
    addTransposedProduct(weights, contextGradient, valueGradient, stop);
}

} // namespace headlight::core
