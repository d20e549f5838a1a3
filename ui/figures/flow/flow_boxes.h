// A small matrix of the flow, with its text above it or at its right.
#pragma once

#include "ui/figures/flow/flow_geometry.h"

namespace headlight::ui {

inline constexpr double kMinMatrix = 40;  ///< px, minimum size
inline constexpr double kTitleBeside = 8; ///< px between a matrix and a title beside it

/// Returns the drawn size of a small matrix: its own shape within readable limits. Each side is at
/// least `smallest` if `width` and `height` allow.
QSizeF smallSize(const FlowSize &matrix, double width, double height, double largestCell,
                 double smallest);

/// Space taken by a matrix's text.
struct FlowText {
    double titleHeight = 0;
    double lineHeight = 0;
    bool areCompact = false; ///< title and shape share a line above the matrix

    static constexpr double kBetween = 10; ///< px between name and shape on one line

    double height() const { return titleHeight + (areCompact ? 0 : lineHeight) + 4; }
    double besideHeight() const { return titleHeight + lineHeight; }

    /// Places the text at `corner` with width `width`, and the matrix below it.
    FlowNode boxBeneath(core::StageId at, const FlowSize &of, QPointF corner, double width,
                        const QSizeF &matrix) const;
    /// Places the matrix at `corner`, and the text beside its middle with at most this width.
    FlowNode boxBeside(core::StageId at, const FlowSize &of, QPointF corner, const QSizeF &matrix,
                       double width) const;
};

} // namespace headlight::ui
