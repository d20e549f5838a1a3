// How matrices that meet share an area: plain numbers, no painting.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"

#include <functional>
#include <vector>

namespace headlight::ui {

/// One of them, and what it needs.
struct CloseUpMatrix {
    /// In so much room, with cells up to so many times as wide as they are high.
    std::function<HeatmapRequest(const QSizeF &room, double widest)> request;
    double titleWidth = 0;
    QSizeF leastCell; ///< in which its numbers stand; empty: it has none, or too many

    /// No number and no row's name is missing, of a matrix that is small.
    bool isComplete(const HeatmapGeometry &placed) const;
};

/// Those that it is made from, and then the one that is made: each has a frame.
struct CloseUpLayout {
    std::vector<QRectF> frames;
    bool isStacked = false; ///< those that it is made from stand above each other, on its left

    /// Side by side, or stacked where only that shows more of them complete.
    static CloseUpLayout of(const std::vector<CloseUpMatrix> &matrices, const QRectF &area,
                            double between, double subtitleWidth, bool isAlone);
};

/// Of a matrix that meets another: its cells' width ÷ height.
inline constexpr double kWidestMeetingCell = 1.7;

} // namespace headlight::ui
