// Layout of the matrices in a close-up, without painting.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"

#include <functional>
#include <vector>

namespace headlight::ui {

/// A matrix and the space it needs.
struct CloseUpMatrix {
    /// Returns the layout input for this space. `widest` limits a cell's width ÷ height.
    std::function<HeatmapRequest(const QSizeF &room, double widest)> request;
    double titleWidth = 0;
    QSizeF minCell; ///< smallest cell with a number; empty: no numbers, or too many

    /// True if a small matrix shows every number and every row name.
    bool isComplete(const HeatmapGeometry &placed) const;
};

/// Frames of the operands, followed by the result.
struct CloseUpLayout {
    std::vector<QRectF> frames;
    bool isStacked = false; ///< the operands are above each other, at the left of the result

    /// Places the matrices side by side. They are stacked only if more of them are complete that
    /// way.
    static CloseUpLayout of(const std::vector<CloseUpMatrix> &matrices, const QRectF &area,
                            double between, double subtitleWidth, bool isAlone);
};

/// Maximum width ÷ height of an operand's cells.
inline constexpr double kWidestMeetingCell = 1.7;

} // namespace headlight::ui
