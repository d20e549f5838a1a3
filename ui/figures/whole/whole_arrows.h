// Routes of the arrows between the stages of the map.
#pragma once

#include "ui/figures/whole/whole_graph.h"

#include <QRectF>

namespace headlight::ui {

struct WholeArrow;
struct WholeGeometry;

/// Lanes above and below all columns, for arrows that pass a column. All arrows from a stage share
/// one lane.
struct WholeLanes {
    std::vector<core::StageId> over, under; ///< stages with a lane, outermost first

    /// `columns` contains indices of the graph's stages, top to bottom. If a column has several
    /// stages, arrows from the lowest one go below the columns. All other arrows go above them.
    static WholeLanes of(const WholeGraph &graph,
                         const std::vector<std::vector<std::size_t>> &columns);
    double above() const;
    double height() const; ///< Returns the height of the lanes above and below together.
};

/// The left and right edge of each column, px.
struct WholeColumn {
    double left = 0, right = 0;
};
using WholeColumns = std::vector<WholeColumn>;

/// `rows` is the area between the lanes.
std::vector<WholeArrow> wholeArrows(const WholeGeometry &geometry, const WholeGraph &graph,
                                    const std::vector<std::vector<std::size_t>> &columns,
                                    const WholeLanes &lanes, const WholeColumns &edges,
                                    const QRectF &rows);

} // namespace headlight::ui
