// Layout of the small heatmaps of all heads, with the enlarged one beside or below them.
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
    HeatmapRequest enlarged; ///< its area is set by the layout
    bool isNarrow = false;   ///< the enlarged heatmap is always below the others
    double air = 1;          ///< factor of the white space
    bool hasBeside = false;  ///< the small heatmaps have a column beside their cells
};

struct HeadsGeometry {
    static HeadsGeometry of(const HeadsRequest &request);
    /// Returns the height of a narrow figure with the area's width. The small heatmaps are legible,
    /// and the enlarged one is as wide as possible.
    static double narrowHeight(const HeadsRequest &request);

    QRectF area;
    QRectF title;               ///< title of the whole figure
    QRectF colourBar;           ///< colour bar of the grid
    core::Index columns = 1;    ///< tiles per row of the grid
    core::Index matrixRows = 0; ///< size of each small heatmap
    core::Index matrixColumns = 0;
    QSizeF cell;                  ///< cell of a small heatmap; whole pixels from 3 px
    bool hasBeside = false;       ///< each small heatmap has a column beside its cells
    std::vector<QRectF> tiles;    ///< one per head: title, matrix and margin
    std::vector<QRectF> titles;   ///< "head 0"
    std::vector<QRectF> matrices; ///< cells of each tile
    QRectF card;                  ///< around the enlarged heatmap; empty for a single head
    HeatmapGeometry enlarged;

    /// Returns the tile at the point. Tiles are counted in reading order.
    std::optional<core::Index> tileAt(QPointF point) const;
    /// Returns the cell of the small heatmap at the point.
    std::optional<Cell> tileCellAt(QPointF point) const;
    /// Returns the row of the column beside the small heatmap at the point.
    std::optional<core::Index> tileBesideRowAt(QPointF point) const;
    HeatmapGeometry tileCells(core::Index tile) const;
    /// Returns a window of the enlarged heatmap as a rectangle in a tile. `first` is its first cell
    /// in the tile's matrix, and `end` is past its last one.
    QRectF windowInTile(core::Index tile, Cell first, Cell end) const;
    /// Returns the cell of the enlarged heatmap at the point.
    std::optional<Cell> cellAt(QPointF point) const { return enlarged.cellAt(point); }
};

} // namespace headlight::ui
