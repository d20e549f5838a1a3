// How alike the directions of vectors are.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

struct CosineSimilarity {
    Matrix values;                    ///< [T, T], −1 … 1; 0 where a vector has no direction
    std::vector<bool> hasNoDirection; ///< one a vector: it is zero, or not finite
};

/// cos(i, j) = x_i·x_j / (‖x_i‖ ‖x_j‖) of the rows of x [T, C], computed in double. Symmetric, its
/// diagonal exactly 1 where there is a direction; never NaN.
CosineSimilarity cosineSimilarity(MatrixView x);

} // namespace headlight::core
