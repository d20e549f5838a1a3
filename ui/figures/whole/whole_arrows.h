// Routes of the arrows between the stages of the map.
#pragma once

#include "ui/figures/whole/whole_graph.h"

#include <QRectF>

namespace headlight::ui {

struct WholeArrow;
struct WholeGeometry;

/// Lanes for arrows that pass columns, above and below all of them. All arrows from a stage share
/// one.
struct WholeLanes {
    std::vector<core::StageId> over, under; ///< a lane for each stage, the outermost first

    /// `columns`: indices of the graph's stages, top to bottom. An arrow from the last of several
    /// stages goes under the columns, any other one over them.
    static WholeLanes of(const WholeGraph &graph,
                         const std::vector<std::vector<std::size_t>> &columns);
    double above() const;
    double height() const; ///< above and below
};

/// The left and right edge of each column, px.
struct WholeColumn {
    double left = 0, right = 0;
};
using WholeColumns = std::vector<WholeColumn>;

/// `rows`: the area between the lanes.
std::vector<WholeArrow> wholeArrows(const WholeGeometry &geometry, const WholeGraph &graph,
                                    const std::vector<std::vector<std::size_t>> &columns,
                                    const WholeLanes &lanes, const WholeColumns &edges,
                                    const QRectF &rows);

} // namespace headlight::ui
