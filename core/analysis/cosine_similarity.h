// Cosine similarity of vectors.
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <vector>

namespace headlight::core {

struct CosineSimilarity {
    Matrix values;                    ///< [T, T], −1 … 1; 0 if a vector has no direction
    std::vector<bool> hasNoDirection; ///< per vector: true if it is zero or not finite
};

/// cos(i, j) = x_i·x_j / (‖x_i‖ ‖x_j‖) of the rows of x [T, C], computed in double. Symmetric,
/// never NaN. The diagonal is exactly 1 for vectors with a direction.
CosineSimilarity cosineSimilarity(MatrixView x);

/// Similarity of each row of one matrix with each row of another of the same width.
struct CrossSimilarity {
    Matrix values; ///< [T, S], −1 … 1; 0 if either vector has no direction
    std::vector<bool> rowHasNoDirection, columnHasNoDirection;
};
CrossSimilarity cosineSimilarity(MatrixView x, MatrixView y);

/// The cosine of two vectors and the parts of its formula, a·b / (‖a‖ ‖b‖).
struct Cosine {
    double product = 0;
    double firstLength = 0, secondLength = 0;
    double value = 0;
    bool isDefined = false; ///< both have a direction; otherwise the value is 0
};
Cosine cosineOf(std::span<const float> a, std::span<const float> b);

} // namespace headlight::core
