// A small matrix of the flow with its words: above it, or to its right.
#pragma once

#include "ui/figures/flow/flow_geometry.h"

namespace headlight::ui {

inline constexpr double kLeastMatrix = 40; ///< px: none is smaller
inline constexpr double kTitleBeside = 8;  ///< px between a matrix and a title beside it

/// The shape of a small matrix as it is drawn: its own, within limits that keep it readable. At
/// least `smallest` on a side where `width` and `height` have it.
QSizeF smallSize(const FlowSize &matrix, double width, double height, double largestCell,
                 double smallest);

/// How much room its words take.
struct FlowWords {
    double titleHeight = 0;
    double lineHeight = 0;
    bool areCompact = false; ///< above the matrix they share a line

    static constexpr double kBetween = 10; ///< px: the name and the shape, on one line

    double height() const { return titleHeight + (areCompact ? 0 : lineHeight) + 4; }
    double besideHeight() const { return titleHeight + lineHeight; }

    /// The words begin at `corner` and are that wide, the matrix is beneath them.
    FlowNode boxBeneath(core::StageId at, const FlowSize &of, QPointF corner, double width,
                        const QSizeF &matrix) const;
    /// The matrix begins at `corner`, the words are beside its middle and at most that wide.
    FlowNode boxBeside(core::StageId at, const FlowSize &of, QPointF corner, const QSizeF &matrix,
                       double width) const;
};

} // namespace headlight::ui
