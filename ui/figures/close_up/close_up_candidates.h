// The layouts that a close-up tries.
#pragma once

#include "ui/figures/close_up/close_up_geometry.h"

#include <vector>

namespace headlight::ui {

/// A layout, described by the numbers that it shows.
struct CloseUpCandidate {
    /// Numbers of rows or columns to try if not all are shown; 0: all.
    static constexpr core::Index kParts[] = {0, 16, 12, 10, 8, 6, 5, 4, 3};

    bool resultNumbers = true;
    std::size_t aboveNumbers = 0; ///< upper operands with numbers, counted from the top
    std::size_t leftNumbers = 0;  ///< left operands with numbers, counted from the right
    core::Index summed = 0;       ///< numbers along the summed axis, or rows of blocks; 0: all
    core::Index leftSummed = 0;   ///< like `summed`, for left operands, which may show more
    core::Index columns = 0;      ///< shown columns of the result; 0: all
    core::Index rows = 0;         ///< shown rows of the result; 0: all
    bool isTight = false;         ///< matrices without numbers are as small as possible
};

/// Returns all candidates that show `rows` rows of the result, unordered.
std::vector<CloseUpCandidate> closeUpCandidates(const CloseUpRequest &request, core::Index rows);

} // namespace headlight::ui
