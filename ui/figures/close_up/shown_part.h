// The visible part of a matrix in a close-up, and the joined heads that are left out.
#pragma once

#include "ui/figures/close_up/close_up_geometry.h"

#include <algorithm>
#include <cmath>
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

/// Returns the visible columns of a joined head's block. `columns` are the visible columns of the
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

/// The joined heads whose columns the result leaves out. They are drawn in colours, to the left and
/// right of the other heads.
struct HiddenHeads {
    std::size_t before = 0, after = 0; ///< number of heads to the left and to the right
    double width = 0;                  ///< px per head; 0: there are too many to draw
    double gap = 0;

    static HiddenHeads of(const CloseUpRequest &request, const ShownPart &columns) {
        constexpr double kShare = 0.36;       // largest share of the width for all hidden heads
        constexpr double kCell = 5, kGap = 8; // px before scaling
        constexpr double kSmallSymbol = 0.66;
        HiddenHeads hidden;
        double symbol = 0, wide = 0;
        for (const CloseUpShape &head : request.above) {
            if (!head.isBlock || shownBlockOf(head, columns).count > 0)
                continue;
            ++(head.firstColumn < columns.first ? hidden.before : hidden.after);
            symbol = std::max(symbol, head.titles[0]);
            wide = std::max(wide, times(kCell * request.scale, head.columns));
        }
        const auto count = static_cast<double>(hidden.before + hidden.after);
        if (count == 0)
            return hidden;
        hidden.gap = std::round(kGap * request.scale);
        const double room = std::floor(kShare * request.area.width() / count) - hidden.gap;
        if (room >= kSmallSymbol * symbol)
            hidden.width = std::min(room, std::max(wide, symbol));
        return hidden;
    }

    double spanBefore() const { return span(before); }
    double spanAfter() const { return span(after); }
    double span(std::size_t heads) const {
        return width > 0 ? static_cast<double>(heads) * (width + gap) : 0;
    }
    /// Returns the left edge of head `i` of `heads`. The first heads begin at `left`, and the last
    /// ones at `right`.
    double leftOf(std::size_t i, std::size_t heads, double left, double right) const {
        return i < before ? left + span(i) : right + gap + span(i + after - heads);
    }
};

} // namespace headlight::ui
