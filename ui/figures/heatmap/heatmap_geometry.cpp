#include "ui/figures/heatmap/heatmap_geometry.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kLabelGap = 6;      // px between labels and cells
constexpr double kSlope = 0.7071;    // sin 45° = cos 45°
constexpr double kColourBarGap = 10; // px above the colour bar

/// Space that other parts need around the cells.
struct Margins {
    double left = 0, top = 0, right = 0, bottom = 0;
};

/// Rounds down sizes of at least 8 px to whole pixels, so that all cells have the same size and
/// sharp edges. Rounds down sizes of at least 3 px to quarters, because whole pixels would waste
/// space.
double wholePixels(double size) {
    constexpr double kParts = 4;
    return size >= 8 ? std::floor(size) : size >= 3 ? std::floor(size * kParts) / kParts : size;
}

QSizeF cellSize(const HeatmapRequest &request, const Margins &margins) {
    const double width = request.area.width() - margins.left - margins.right;
    const double height = request.area.height() - margins.top - margins.bottom;
    const auto columns = static_cast<double>(request.columns);
    const auto rows = static_cast<double>(request.rows);
    double w = std::clamp(width / columns, 0.0, request.maximumCell);
    double h = std::clamp(height / rows, 0.0, request.maximumCell);
    w = std::min(w, h * request.maximumAspect);
    h = std::min(h, w / request.minimumAspect);
    return {wholePixels(w), wholePixels(h)};
}

core::Index stepFor(double needed, double cell) {
    return cell > 0 ? std::max<core::Index>(1, static_cast<core::Index>(std::ceil(needed / cell)))
                    : 1;
}

/// Returns the smallest of 1, 2, 5, 10, 20, 50 … that is at least `step`, because labels in such
/// steps are easy to read.
core::Index roundStep(core::Index step) {
    for (core::Index power = 1;; power *= 10)
        for (const core::Index factor : {1, 2, 5})
            if (factor * power >= step)
                return factor * power;
}

/// Places the column labels above the cells. Slants them if they are wider than a cell.
void placeColumnLabels(const HeatmapRequest &request, HeatmapGeometry &geometry, Margins &margins) {
    if (request.columnLabelWidth <= 0) {
        geometry.cell = cellSize(request, margins);
        return;
    }
    Margins flat = margins;
    flat.top += request.lineHeight + kLabelGap / 2;
    geometry.cell = cellSize(request, flat);
    geometry.columnLabelWidth = request.columnLabelWidth;
    const double available = request.columnLabelWidth + 4;
    if (!request.slantColumnLabels || geometry.cell.width() >= available) {
        geometry.columnLabelStep = roundStep(stepFor(available, geometry.cell.width()));
        margins = flat;
        return;
    }
    geometry.slanted = true;
    const double longest =
        std::max(0.22 * std::min(request.area.height(), request.area.width()) / kSlope, 24.0);
    geometry.columnLabelWidth = std::min(request.columnLabelWidth, longest);
    margins.top += std::ceil((geometry.columnLabelWidth + request.lineHeight) * kSlope) + 2;
    // The last slanted label starts above the middle of its cell and extends to the right.
    const double lean = std::ceil((geometry.columnLabelWidth + request.lineHeight / 2) * kSlope);
    Margins slanted = margins;
    for (int round = 0; round < 3; ++round) {
        geometry.cell = cellSize(request, slanted);
        slanted.right = std::max(margins.right, lean - std::floor(geometry.cell.width() / 2) + 1);
    }
    margins = slanted;
    geometry.cell = cellSize(request, margins);
    geometry.columnLabelStep = stepFor(request.lineHeight * 1.15, geometry.cell.width());
}

/// Returns the first of `shown` rows or columns of `count`: `wanted`, or one that centres the
/// focus.
core::Index firstShown(core::Index count, core::Index shown, std::optional<core::Index> wanted,
                       std::optional<core::Index> focus) {
    const core::Index first = wanted.value_or(focus.value_or(0) - shown / 2);
    return std::clamp<core::Index>(first, 0, count - shown);
}

/// Returns a window of a matrix whose cells would be too small.
HeatmapGeometry windowOf(const HeatmapRequest &request, const HeatmapGeometry &whole) {
    HeatmapRequest part = request;
    part.window = false;
    const double right = request.area.right() - whole.cells.left();
    const double height = whole.cells.height() + request.area.bottom() - whole.used.bottom();
    if (whole.cell.width() < kMinWholeCell)
        part.columns = std::clamp<core::Index>(static_cast<core::Index>(right / request.windowCell),
                                               1, request.columns);
    if (whole.cell.height() < kMinWholeCell)
        part.rows = std::clamp<core::Index>(static_cast<core::Index>(height / request.windowCell),
                                            1, request.rows);
    HeatmapGeometry geometry = HeatmapGeometry::of(part);
    // Use the space that whole-pixel cells leave free for more cells.
    const auto more = [](double spare, double cell) {
        return cell > 0 ? static_cast<core::Index>(std::max(0.0, spare) / cell) : 0;
    };
    const Cell spare{more(request.area.bottom() - geometry.used.bottom(), geometry.cell.height()),
                     more(request.area.right() - geometry.used.right(), geometry.cell.width())};
    if (spare.row > 0 || spare.column > 0) {
        part.rows = std::min(request.rows, part.rows + spare.row);
        part.columns = std::min(request.columns, part.columns + spare.column);
        geometry = HeatmapGeometry::of(part);
    }
    const auto wanted = [&](core::Index Cell::*side) {
        return request.origin ? std::optional((*request.origin).*side) : std::nullopt;
    };
    geometry.origin = {
        firstShown(request.rows, part.rows, wanted(&Cell::row), request.focusRow),
        firstShown(request.columns, part.columns, wanted(&Cell::column), request.focusColumn)};
    geometry.isWindow = part.rows < request.rows || part.columns < request.columns;
    return geometry;
}

} // namespace

HeatmapGeometry HeatmapGeometry::of(const HeatmapRequest &request) {
    const HeatmapGeometry placed = placedIn(request);
    const double missing = std::ceil(request.rowLabelWidth) - placed.rowLabelWidth;
    const double spare = request.area.right() - placed.used.right();
    if (request.rowLabelWidth <= 0 || missing <= 0 || spare < 1 || placed.isWindow)
        return placed;
    // If the height limits the cells, allow the row labels to use the remaining width.
    HeatmapRequest wider = request;
    wider.rowLabelShare =
        (placed.rowLabelWidth + std::min(missing, std::floor(spare))) / request.area.width();
    const HeatmapGeometry named = placedIn(wider);
    return named.cell.width() < placed.cell.width() || named.cell.height() < placed.cell.height()
               ? placed
               : named;
}

HeatmapGeometry HeatmapGeometry::placedIn(const HeatmapRequest &request) {
    HeatmapGeometry geometry;
    geometry.area = request.area;
    geometry.rows = request.rows;
    geometry.columns = request.columns;
    geometry.lineHeight = request.lineHeight;
    const QRectF &area = request.area;
    const double left = std::ceil(area.left());
    const double top = std::ceil(area.top());

    Margins margins;
    margins.top = request.titleHeight + request.subtitleHeight;
    if (margins.top > 0)
        margins.top += kLabelGap;
    if (request.rowAxis)
        margins.left += request.lineHeight + 2;
    if (request.rowLabelWidth > 0) {
        geometry.rowLabelWidth = std::ceil(
            std::min(request.rowLabelWidth, std::max(request.rowLabelShare * area.width(), 24.0)));
        margins.left += geometry.rowLabelWidth + kLabelGap;
    }
    const bool hasWordsBelow = request.columnGroups || request.besideWidth > 0;
    const double groups = hasWordsBelow ? kLabelGap / 2 + request.lineHeight : 0;
    margins.bottom += groups;
    if (request.colourBar)
        margins.bottom += kColourBarGap + request.lineHeight;
    margins.left = std::ceil(margins.left);
    margins.right += request.linesWidth + request.besideWidth;
    if (request.rows <= 0 || request.columns <= 0) {
        geometry.title = QRectF(left, top, area.width(), request.titleHeight);
        geometry.subtitle =
            QRectF(left, geometry.title.bottom(), area.width(), request.subtitleHeight);
        geometry.used = area;
        return geometry;
    }
    placeColumnLabels(request, geometry, margins);
    margins.top = std::ceil(margins.top);
    geometry.rowLabelStep = stepFor(request.lineHeight * 0.95, geometry.cell.height());

    geometry.cells = QRectF(left + margins.left, top + margins.top,
                            geometry.cell.width() * static_cast<double>(request.columns),
                            geometry.cell.height() * static_cast<double>(request.rows));
    const QRectF &cells = geometry.cells;
    const double right = std::min(area.right(), cells.right() + margins.right);
    const double width = area.right() - left;
    geometry.title = QRectF(left, top, width, request.titleHeight);
    geometry.subtitle = QRectF(left, geometry.title.bottom(), width, request.subtitleHeight);
    if (request.rowAxis)
        geometry.rowAxis = QRectF(left, cells.top(), request.lineHeight, cells.height());
    // Place the name of the column axis in the corner between the row labels and the column labels.
    if (request.columnAxis && margins.left > 0 && request.columnLabelWidth > 0)
        geometry.columnAxis = QRectF(left, cells.top() - kLabelGap / 2 - request.lineHeight,
                                     cells.left() - kLabelGap - left, request.lineHeight);
    if (request.columnGroups)
        geometry.columnGroups =
            QRectF(cells.left(), cells.bottom() + kLabelGap / 2, cells.width(), request.lineHeight);
    if (request.linesWidth > 0)
        geometry.lines = QRectF(cells.right() + request.besideWidth, cells.top(),
                                request.linesWidth, cells.height());
    if (request.besideWidth > 0) {
        geometry.placeBeside(kLabelGap, request.besideWidth - kLabelGap);
        geometry.besideLabel = QRectF(left, cells.bottom() + kLabelGap / 2,
                                      geometry.beside.right() - left, request.lineHeight);
    }
    if (request.colourBar)
        geometry.colourBar =
            QRectF(cells.left() - margins.left, cells.bottom() + groups + kColourBarGap, width,
                   request.lineHeight);
    geometry.used =
        QRectF(QPointF(area.left(), area.top()), QPointF(right, cells.bottom() + margins.bottom));
    if (request.window &&
        (geometry.cell.width() < kMinWholeCell || geometry.cell.height() < kMinWholeCell))
        return windowOf(request, geometry);
    return geometry;
}

void HeatmapGeometry::placeBeside(double gap, double width) {
    beside = QRectF(cells.right() + gap, cells.top(), width, cells.height());
}

QRectF HeatmapGeometry::besideRect(core::Index row) const {
    return QRectF(beside.left(), rowRect(row).top(), beside.width(), cell.height());
}

std::optional<core::Index> HeatmapGeometry::besideRowAt(QPointF point) const {
    if (beside.isEmpty() || point.x() < beside.left() || point.x() >= beside.right())
        return std::nullopt;
    const auto first = cellAt({cells.left() + cell.width() / 2, point.y()});
    return first ? std::optional(first->row) : std::nullopt;
}

void HeatmapGeometry::giveColumnLabels(double width) {
    columnLabelWidth = width;
    columnLabelStep = stepFor(width + 4, cell.width());
    thinsTouchingLabels = true;
}

void HeatmapGeometry::moveBy(QPointF offset) {
    for (QRectF *rect : {&area, &cells, &title, &subtitle, &rowAxis, &columnAxis, &columnGroups,
                         &colourBar, &lines, &beside, &besideLabel, &used})
        rect->translate(offset);
}

void HeatmapGeometry::setTextExtent(double left, double right) {
    for (QRectF *rect : {&title, &subtitle, &colourBar})
        if (!rect->isEmpty()) {
            rect->setLeft(left);
            rect->setRight(right);
        }
}

QRectF HeatmapGeometry::cellRect(core::Index row, core::Index column) const {
    return QRectF(cells.left() + static_cast<double>(column - origin.column) * cell.width(),
                  cells.top() + static_cast<double>(row - origin.row) * cell.height(), cell.width(),
                  cell.height());
}

QRectF HeatmapGeometry::rowRect(core::Index row) const {
    return QRectF(cells.left(), cellRect(row, origin.column).top(), cells.width(), cell.height());
}

QRectF HeatmapGeometry::columnRect(core::Index column) const {
    return QRectF(cellRect(origin.row, column).left(), cells.top(), cell.width(), cells.height());
}

std::optional<Cell> HeatmapGeometry::cellAt(QPointF point) const {
    if (cell.isEmpty())
        return std::nullopt;
    const double column = std::floor((point.x() - cells.left()) / cell.width());
    const double row = std::floor((point.y() - cells.top()) / cell.height());
    if (column < 0 || row < 0 || column >= static_cast<double>(columns) ||
        row >= static_cast<double>(rows))
        return std::nullopt;
    return Cell{origin.row + static_cast<core::Index>(row),
                origin.column + static_cast<core::Index>(column)};
}

QRectF HeatmapGeometry::rowLabel(core::Index row) const {
    const QRectF first = cellRect(row, origin.column);
    return QRectF(cells.left() - rowLabelDistance - kLabelGap - rowLabelWidth,
                  first.center().y() - lineHeight / 2, rowLabelWidth, lineHeight);
}

QRectF HeatmapGeometry::columnLabel(core::Index column) const {
    const QRectF first = cellRect(origin.row, column);
    const double width =
        std::max(cell.width(), std::min(columnLabelWidth + 4,
                                        cell.width() * static_cast<double>(columnLabelStep)));
    const double x = std::clamp(first.center().x() - width / 2, cells.left(),
                                std::max(cells.left(), cells.right() - width));
    return QRectF(x, cells.top() - columnLabelDistance - kLabelGap / 2 - lineHeight, width,
                  lineHeight);
}

QRectF HeatmapGeometry::columnLabelOf(core::Index column, double width) const {
    const double x = std::clamp(cellRect(origin.row, column).center().x() - width / 2, cells.left(),
                                std::max(cells.left(), cells.right() - width));
    return QRectF(x, cells.top() - columnLabelDistance - kLabelGap / 2 - lineHeight, width,
                  lineHeight);
}

bool HeatmapGeometry::columnLabelFits(core::Index column) const {
    const double middle = cellRect(origin.row, column).center().x();
    const double half = columnLabelStep > 1 ? columnLabelWidth / 2 : 0;
    return slanted || column == origin.column || middle + half <= cells.right() + 1;
}

QPointF HeatmapGeometry::columnLabelStart(core::Index column) const {
    return {cellRect(origin.row, column).center().x(), cells.top() - kLabelGap / 2};
}

} // namespace headlight::ui
