// Where the small heatmaps of all heads are, and the enlarged one beside them.
#pragma once

#include "ui/figures/heatmap/heatmap_geometry.h"

#include <vector>

namespace headlight::ui {

struct HeadsRequest {
    QRectF area;
    core::Index heads = 1;
    core::Index rows = 1;
    core::Index columns = 1;
    double lineHeight = 14;
    double titleHeight = 20;
    HeatmapRequest enlarged; ///< its area is chosen here
    bool isNarrow = false;   ///< the enlarged one stands beneath the others in any case
    double air = 1;          ///< of the usual white space
};

struct HeadsGeometry {
    static HeadsGeometry of(const HeadsRequest &request);
    /// What a narrow one needs at the width of its area: all small heatmaps of a size to be seen,
    /// and the enlarged one as wide as there is room.
    static double narrowHeight(const HeadsRequest &request);

    QRectF area;
    QRectF title;               ///< of the whole figure
    QRectF colourBar;           ///< of the grid
    core::Index columns = 1;    ///< tiles in a row of the grid
    core::Index matrixRows = 0; ///< of each small heatmap
    core::Index matrixColumns = 0;
    QSizeF cell;                  ///< of a small heatmap; whole pixels from 3 px on
    std::vector<QRectF> tiles;    ///< one a head: title and matrix, with room around them
    std::vector<QRectF> titles;   ///< "head 0"
    std::vector<QRectF> matrices; ///< the cells
    QRectF card;                  ///< around the enlarged one; empty with a single head
    HeatmapGeometry enlarged;

    /// A tile of the grid, in reading order.
    std::optional<core::Index> tileAt(QPointF point) const;
    /// A cell of the small heatmap that is there.
    std::optional<Cell> tileCellAt(QPointF point) const;
    /// The cells of a small heatmap.
    HeatmapGeometry tileCells(core::Index tile) const;
    /// Where the window that the enlarged heatmap shows lies in a small one.
    QRectF windowInTile(core::Index tile) const;
    /// A cell of the enlarged heatmap.
    std::optional<Cell> cellAt(QPointF point) const { return enlarged.cellAt(point); }
};

} // namespace headlight::ui
