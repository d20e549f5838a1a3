// What changed between two matrices of one shape: two runs of the same stage.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <limits>
#include <optional>
#include <vector>

namespace headlight::core {

struct LargestChange {
    Index row = 0;
    Index column = 0;
    float value = 0; ///< now − before
};

struct Difference {
    Matrix values;                        ///< now − before; 0 where that is not a number
    std::vector<bool> hiddenOnOneSide;    ///< row-major: only one side has a number there
    std::optional<LargestChange> largest; ///< the first that is farthest from 0; none: all are 0
    double meanAbsolute = 0;              ///< over the cells that are numbers on both sides
    bool paddingChanged = false;          ///< any number of the rows that are not measured
    bool hidesAnything() const;
};

/// now − before of two [T, S] matrices, worked out in double and rounded once. −∞ on both sides
/// (hidden before and after) is no change, 0. Never NaN and never infinite. Rows from `words` on
/// are padding: they are no part of the largest change and of the mean. Errors: two shapes.
Result<Difference> difference(MatrixView now, MatrixView before,
                              Index words = std::numeric_limits<Index>::max());

} // namespace headlight::core
