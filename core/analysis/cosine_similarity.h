// How alike the directions of vectors are.
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <vector>

namespace headlight::core {

struct CosineSimilarity {
    Matrix values;                    ///< [T, T], −1 … 1; 0 where a vector has no direction
    std::vector<bool> hasNoDirection; ///< one a vector: it is zero, or not finite
};

/// cos(i, j) = x_i·x_j / (‖x_i‖ ‖x_j‖) of the rows of x [T, C], computed in double. Symmetric, its
/// diagonal exactly 1 where there is a direction; never NaN.
CosineSimilarity cosineSimilarity(MatrixView x);

/// The same of each row of one matrix with each of another, of the same width.
struct CrossSimilarity {
    Matrix values; ///< [T, S], −1 … 1; 0 where one of the two has no direction
    std::vector<bool> rowHasNoDirection, columnHasNoDirection;
};
CrossSimilarity cosineSimilarity(MatrixView x, MatrixView y);

/// The cosine of two vectors, and what it is made of: a·b / (‖a‖ ‖b‖).
struct Cosine {
    double product = 0;
    double firstLength = 0, secondLength = 0;
    double value = 0;
    bool isDefined = false; ///< both have a direction; else the value is 0
};
Cosine cosineOf(std::span<const float> a, std::span<const float> b);

} // namespace headlight::core
