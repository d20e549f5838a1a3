// The visible part of a matrix in a close-up.
#pragma once

#include "ui/figures/close_up/close_up_geometry.h"

#include <algorithm>
#include <optional>

namespace headlight::ui {

/// A range of a matrix's rows or columns.
struct ShownPart {
    core::Index first = 0, count = 0, all = 0;
    bool isCut() const { return count < all; }
};

/// Returns the length of `count` cells.
inline double times(double one, core::Index count) {
    return one * static_cast<double>(count);
}

inline ShownPart shownPartOf(core::Index all, core::Index shown, std::optional<core::Index> focus) {
    if (shown == 0 || shown >= all)
        return {0, all, all};
    const core::Index first =
        std::clamp<core::Index>(focus.value_or(0) - shown / 2, 0, all - shown);
    return {first, shown, all};
}

/// Returns the visible columns of a joined head's block. `columns`: the shown columns of the
/// result.
inline ShownPart shownBlockOf(const CloseUpShape &block, const ShownPart &columns) {
    const core::Index first =
        std::clamp<core::Index>(columns.first - block.firstColumn, 0, block.columns);
    const core::Index end = std::clamp<core::Index>(
        columns.first + columns.count - block.firstColumn, first, block.columns);
    return {first, end - first, block.columns};
}

/// Returns the shown part of the summed columns of a left operand.
inline ShownPart shownSummedPartOf(const CloseUpShape &one, core::Index shown) {
    if (!one.summedColumns)
        return shownPartOf(one.columns, shown, one.focusColumn);
    const auto [first, count] = *one.summedColumns;
    const ShownPart within = shownPartOf(count, shown, one.focusColumn.value_or(first) - first);
    return {first + within.first, within.count, one.columns};
}

} // namespace headlight::ui
