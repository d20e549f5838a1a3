#include "ui/figures/heads/heads_geometry.h"

#include "ui/figures/base/spacing.h"
#include "ui/figures/heads/heads_upright.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kTileGap = 12;                       // px between small heatmaps
constexpr double kLargest = 64;                       // px, largest cell of a small heatmap
constexpr double kTileBesideGap = 2, kTileBeside = 8; // px, the column beside a small heatmap
constexpr double kLargestEnlarged = 110;
constexpr double kInsetShare = 0.25; // largest share of the shorter side of the enlarged matrix
constexpr double kLargestInset = 180;
constexpr double kNarrowTile = 64;          // px, approximate size of a tile in a narrow figure
constexpr double kLargestNarrowCard = 0.62; // relative to the height of a narrow figure
constexpr double kLargestShare =
    0.2; // largest cell as a share of the card's shorter side, for few words on a large screen

/// Returns the gap, an even number of pixels. Half of it is on each side of a matrix, whose edges
/// must be sharp.
double gapOf(const HeadsRequest &request) {
    return 2 * std::round(kTileGap / 2 * request.air);
}

/// Returns the width of the column beside a small heatmap, including the gap before the column.
double besideOf(const HeadsRequest &request) {
    return request.hasBeside ? kTileBesideGap + kTileBeside : 0;
}

struct Grid {
    core::Index columns = 1;
    double cell = 0;
};

/// Returns the grid with the largest cells.
Grid bestGrid(const HeadsRequest &request, const QSizeF &available) {
    Grid best;
    const double gap = gapOf(request);
    for (core::Index columns = 1; columns <= request.heads; ++columns) {
        const core::Index rows = (request.heads + columns - 1) / columns;
        const double width =
            available.width() / static_cast<double>(columns) - gap - besideOf(request);
        if (request.air < 1 && columns > 1 &&
            width < request.lineHeight) // the head's number does not fit
            break;
        const double height =
            available.height() / static_cast<double>(rows) - gap - request.lineHeight;
        const double cell = std::min({width / static_cast<double>(request.columns),
                                      height / static_cast<double>(request.rows), kLargest});
        if (cell > best.cell)
            best = {columns, cell};
    }
    best.cell = best.cell >= 3 ? std::floor(best.cell) : std::max(best.cell, 0.01);
    return best;
}

void placeCard(const HeadsRequest &request, HeadsGeometry &geometry, const QRectF &available) {
    HeatmapRequest large = request.enlarged;
    const double padding = kCardPadding * request.air;
    large.area = available.adjusted(padding, padding, -padding, -padding);
    large.maximumCell = std::max({large.maximumCell, kLargestEnlarged,
                                  kLargestShare * std::min(available.width(), available.height())});
    geometry.enlarged = HeatmapGeometry::of(large);
    const QRectF &used = geometry.enlarged.used;
    const double width =
        std::min(available.width(), std::max(used.width() + 2 * padding, 18 * request.lineHeight));
    const double height = std::min(available.height(), std::ceil(used.height() + 2 * padding));
    geometry.card =
        QRectF(std::floor(available.left() + (available.width() - width) / 2),
               available.top() + std::floor((available.height() - height) / 2), width, height);
    const double inside = std::max(0.0, width - 2 * padding - used.width());
    geometry.enlarged.moveBy(
        QPointF(geometry.card.left() + padding + std::floor(inside / 2) - used.left(),
                geometry.card.top() + padding - used.top()));
    geometry.enlarged.setTextExtent(geometry.card.left() + padding,
                                    geometry.card.right() - padding);
}

/// Returns the card's height if the enlarged matrix uses the full width.
double cardHeight(const HeadsRequest &request, double width) {
    constexpr double kHighest = 3; // relative to the width
    HeadsGeometry geometry;
    placeCard(request, geometry, QRectF(0, 0, width, kHighest * width));
    return geometry.card.height();
}

void placeTiles(const HeadsRequest &request, HeadsGeometry &geometry, const QRectF &available) {
    const Grid grid = bestGrid(request, available.size());
    const double gap = gapOf(request);
    geometry.columns = grid.columns;
    geometry.cell = QSizeF(grid.cell, grid.cell);
    geometry.matrixRows = request.rows;
    geometry.matrixColumns = request.columns;
    geometry.hasBeside = request.hasBeside;
    const QSizeF matrix(grid.cell * static_cast<double>(request.columns),
                        grid.cell * static_cast<double>(request.rows));
    const core::Index rows = (request.heads + grid.columns - 1) / grid.columns;
    // Pack the tiles as closely as their matrices and titles allow, and centre the grid.
    const double least = std::floor(available.width() / static_cast<double>(grid.columns));
    const double width =
        std::min(least, std::max(std::ceil(matrix.width() + besideOf(request)) + 2 * gap,
                                 5 * request.lineHeight));
    const double height = std::min(std::floor(available.height() / static_cast<double>(rows)),
                                   std::ceil(matrix.height()) + request.lineHeight + gap + 10);
    const double left = std::round(available.left());
    const double top =
        std::round(available.top() + (available.height() - height * static_cast<double>(rows)) / 2);
    for (core::Index head = 0; head < request.heads; ++head) {
        const QRectF tile(left + width * static_cast<double>(head % grid.columns),
                          top + height * static_cast<double>(head / grid.columns), width, height);
        geometry.tiles.push_back(tile);
        const double x = tile.left() + gap / 2;
        const double y = tile.top() + gap / 2;
        geometry.titles.emplace_back(x, y, width - gap, request.lineHeight);
        geometry.matrices.emplace_back(QPointF(x, std::round(y + request.lineHeight)), matrix);
    }
    geometry.colourBar = QRectF(left + gap / 2, geometry.tiles.back().bottom() + 8,
                                available.width() - gap / 2, request.lineHeight);
}

/// Places the tile of a single head over a corner of the enlarged matrix. It shows only the
/// position of the visible window.
void placeInset(const HeadsRequest &request, HeadsGeometry &geometry) {
    const QRectF &cells = geometry.enlarged.cells;
    const double side =
        std::clamp(kInsetShare * std::min(cells.width(), cells.height()), 48.0, kLargestInset);
    const double cell = side / static_cast<double>(std::max(request.rows, request.columns));
    geometry.cell = QSizeF(cell, cell);
    geometry.matrixRows = request.rows;
    geometry.matrixColumns = request.columns;
    QRectF matrix(0, 0, cell * static_cast<double>(request.columns),
                  cell * static_cast<double>(request.rows));
    matrix.moveBottomRight(cells.bottomRight() - QPointF(kTileGap, kTileGap));
    geometry.matrices = {matrix};
    geometry.titles = {QRectF()};
    geometry.tiles = {matrix.adjusted(-kTileGap / 2, -kTileGap / 2, kTileGap / 2, kTileGap / 2)};
}

} // namespace

HeadsGeometry HeadsGeometry::of(const HeadsRequest &request) {
    HeadsGeometry geometry;
    geometry.area = request.area;
    const double margin = kFigureMargin * request.air;
    const QRectF inner = request.area.adjusted(margin, margin, -margin, -margin);
    geometry.title = QRectF(inner.left(), inner.top(), inner.width(), request.titleHeight);
    const QRectF body = inner.adjusted(0, request.titleHeight + 8, 0, 0);
    if (request.heads <= 1) {
        placeCard(request, geometry, body);
        if (geometry.enlarged.isWindow)
            placeInset(request, geometry);
        return geometry;
    }
    QRectF gridRoom = body;
    const double footer = request.lineHeight + 8;
    if (request.isNarrow || body.height() > kUpright * body.width()) {
        const double share =
            std::floor(request.isNarrow ? std::min(body.height() * kLargestNarrowCard,
                                                   cardHeight(request, body.width()))
                                        : body.height() * 0.5);
        placeCard(request, geometry,
                  QRectF(body.left(), body.bottom() - share, body.width(), share));
        gridRoom.setBottom(geometry.card.top() - 12 - footer);
    } else {
        // Place the grid first, in half of the width. The card gets the rest.
        gridRoom.setBottom(body.bottom() - footer);
        gridRoom.setWidth(std::floor(body.width() * 0.5));
        placeTiles(request, geometry, gridRoom);
        const double left =
            geometry.tiles[static_cast<std::size_t>(geometry.columns - 1)].right() + 20;
        placeCard(request, geometry, QRectF(left, body.top(), body.right() - left, body.height()));
        geometry.colourBar.setRight(
            std::min(geometry.colourBar.right(), geometry.card.left() - kTileGap));
        return geometry;
    }
    placeTiles(request, geometry, gridRoom);
    return geometry;
}

double HeadsGeometry::narrowHeight(const HeadsRequest &request) {
    const double margin = kFigureMargin * request.air;
    const double width = request.area.width() - 2 * margin;
    const double card = cardHeight(request, width);
    const double around = 2 * margin + request.titleHeight + 8;
    if (request.heads <= 1)
        return std::ceil(around + card);
    const double gap = gapOf(request);
    const auto wished = static_cast<core::Index>(width / (kNarrowTile * request.air + gap));
    const core::Index most = std::clamp<core::Index>(wished, 1, request.heads);
    const core::Index rows = (request.heads + most - 1) / most;
    const core::Index columns = (request.heads + rows - 1) / rows;
    const double tile = std::min(width / static_cast<double>(columns) - gap - besideOf(request),
                                 kLargest * static_cast<double>(request.columns));
    const double high =
        tile * static_cast<double>(request.rows) / static_cast<double>(request.columns);
    const double grid = static_cast<double>(rows) * (high + gap + request.lineHeight + 10);
    const double least = grid + request.lineHeight + 20;
    return std::ceil(around + std::max(least + card, card / kLargestNarrowCard));
}

HeatmapGeometry HeadsGeometry::tileCells(core::Index tile) const {
    const auto index = static_cast<std::size_t>(tile);
    HeatmapGeometry small;
    small.area = tiles[index];
    small.cells = matrices[index];
    small.cell = cell;
    small.rows = matrixRows;
    small.columns = matrixColumns;
    if (hasBeside)
        small.placeBeside(kTileBesideGap, kTileBeside);
    return small;
}

QRectF HeadsGeometry::windowInTile(core::Index tile, Cell first, Cell end) const {
    const HeatmapGeometry small = tileCells(tile);
    const QRectF from = small.cellRect(first.row, first.column);
    const QRectF to = small.cellRect(end.row - 1, end.column - 1);
    // Align to whole pixels around the cells. Keep a minimum size, so that the window is visible.
    return QRectF(QRectF(from.topLeft(), to.bottomRight()).toAlignedRect()).adjusted(-1, -1, 1, 1);
}

std::optional<Cell> HeadsGeometry::tileCellAt(QPointF point) const {
    const auto tile = tileAt(point);
    return tile ? tileCells(*tile).cellAt(point) : std::nullopt;
}

std::optional<core::Index> HeadsGeometry::tileBesideRowAt(QPointF point) const {
    const auto tile = tileAt(point);
    return tile ? tileCells(*tile).besideRowAt(point) : std::nullopt;
}

std::optional<core::Index> HeadsGeometry::tileAt(QPointF point) const {
    for (std::size_t head = 0; head < tiles.size(); ++head)
        if (tiles[head].contains(point))
            return static_cast<core::Index>(head);
    return std::nullopt;
}

} // namespace headlight::ui
