#include "core/operations/scores.h"

#include "core/tensor/product.h"

namespace headlight::core {

void scoresBackward(MatrixView query, MatrixView key, MatrixView scoresGradient,
                    MutableMatrixView queryGradient, MutableMatrixView keyGradient) {
    multiply(scoresGradient, key, queryGradient);
    addTransposedProduct(scoresGradient, query, keyGradient);
}

void contextBackward(MatrixView weights, MatrixView value, MatrixView contextGradient,
                     MutableMatrixView weightsGradient, MutableMatrixView valueGradient) {
    multiplyTransposed(contextGradient, value, weightsGradient);
    addTransposedProduct(weights, contextGradient, valueGradient);
}

} // namespace headlight::core
