// The difference of two matrices of equal shape, from two runs of the same stage.
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
    Matrix values;                        ///< now − before; 0 if either is not finite
    std::vector<bool> hiddenOnOneSide;    ///< row-major: the sides differ, and one is not finite
    std::optional<LargestChange> largest; ///< the first one if several are equal; none if all are 0
    /// Mean over the cells that are finite on both sides; none if there are no such cells.
    std::optional<double> meanAbsolute;
    bool paddingChanged = false; ///< any value in the padding rows changed
    bool hasUnknown = false;     ///< any cell outside the padding is NaN on both sides
    bool hidesAnything() const;
};

/// Computes now − before of two [T, S] matrices in double, rounded once. −∞ on both sides (hidden
/// before and after) counts as no change, 0. NaN on both sides stays NaN; other results are finite.
/// Only the first `words` rows count for the largest change and the mean; the others are padding.
/// Error: the shapes differ.
Result<Difference> difference(MatrixView now, MatrixView before,
                              Index words = std::numeric_limits<Index>::max());

} // namespace headlight::core
