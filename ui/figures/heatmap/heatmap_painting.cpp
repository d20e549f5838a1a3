#include "ui/figures/heatmap/heatmap_painting.h"

#include "ui/figures/heatmap/cell_image.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/text/text.h"

#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kSmallestHiddenMark = 10; // px; smaller hidden cells have only their colour
constexpr double kHiddenMark = 0.36;       // half length ÷ cell; the ends extend beyond a number
constexpr double kLowCell = 22;            // px; digits almost fill a cell of less height
constexpr double kHatchDistance = 7;       // px between the lines across small cells
constexpr qint64 kMaxHatchedCells = 10000;
constexpr core::Index kMaxFilledCells = 1024; // maximum number of cells filled one by one
constexpr double kHatchAir = 4;          // px between a stroke and a number, along the cell's sides
constexpr double kMinHatch = 2;          // px, smallest length of a stroke along the cell's sides
constexpr qint64 kQuickPixels = 1 << 17; // pixels of a coarse image; takes at most 3 ms

/// Returns the image size in pixels along a side of `length`: one per cell, or one per device pixel
/// if cells are smaller. Vector files have at most one per logical pixel (1/96 inch). At that
/// resolution or more, strong cells do not blend with weak neighbours on screen or in print.
int sampled(core::Index cells, double length, const QPainter &painter) {
    const double pixels =
        isVectorFile(painter)
            ? std::floor(length)
            : std::ceil(length * painter.deviceTransform().mapRect(QRectF(0, 0, 1, 1)).width());
    return static_cast<int>(std::min(cells, static_cast<core::Index>(std::max(1.0, pixels))));
}

/// Enlarges each pixel for vector files, to about 4 × 4 pixels per logical pixel. Viewers and
/// printers smooth images when they enlarge them slightly. With blocks, only the edges of the cells
/// are smoothed.
QImage inBlocks(const QImage &image, const QSizeF &available) {
    constexpr double kDensity = 4;
    constexpr int kMaxPixels = 4096; // px, largest side of an image
    const auto block = [](int pixels, double length) {
        const int wished = static_cast<int>(kDensity * length / pixels);
        return std::max(1, std::min(wished, kMaxPixels / pixels));
    };
    return image.scaled(image.width() * block(image.width(), available.width()),
                        image.height() * block(image.height(), available.height()),
                        Qt::IgnoreAspectRatio, Qt::FastTransformation);
}

double countOf(const QSize &pixels) {
    return static_cast<double>(pixels.width()) * pixels.height();
}

/// Returns a smaller size if an image of this size would take too long to make. All pixels of the
/// image represent areas of equal size.
QSize coarser(const QSize &pixels) {
    const int by =
        static_cast<int>(std::ceil(std::sqrt(countOf(pixels) / static_cast<double>(kQuickPixels))));
    return by <= 1 ? pixels
                   : QSize((pixels.width() + by - 1) / by, (pixels.height() + by - 1) / by);
}

/// Returns the cells' image, cached if possible. The cache key must contain everything that
/// cellImage() reads. For a coarse image, a cached one of another size may be used.
QImage keptCellImage(const HeatmapGeometry &geometry, const HeatmapContent &content,
                     const FigureStyle &style, const QColor &background, double fade, QSize pixels,
                     CellDetail detail) {
    PaintingCache *const kept = content.keptPainting.get();
    CellImageSource source{content.tensor,
                           content.sequence,
                           content.head,
                           content.mask,
                           content.scale,
                           content.computedTo,
                           content.firstPaddingRow,
                           content.hidesWholly,
                           geometry.rows,
                           geometry.columns,
                           geometry.origin,
                           pixels,
                           style,
                           background,
                           fade,
                           content.blocks,
                           content.pyramid};
    if (detail == CellDetail::Coarse) {
        const QImage image = kept ? kept->nearest(source) : QImage();
        source.pixels = coarser(pixels);
        // A picture may have many small images, so accept a cached one of any size for them. A
        // large image must stay legible.
        if (!image.isNull() &&
            (source.pixels == pixels || countOf(image.size()) >= countOf(source.pixels)))
            return image;
    }
    const auto make = [&] {
        return cellImage(geometry, content, style, background, fade, source.pixels);
    };
    return kept ? kept->image(source, make) : make();
}

void paintCellImage(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style,
                    const QColor &background, double fade, CellDetail detail) {
    const QSize pixels(sampled(geometry.columns, geometry.cells.width(), painter),
                       sampled(geometry.rows, geometry.cells.height(), painter));
    if (std::min(geometry.cell.width(), geometry.cell.height()) >= kMinWholeCell)
        detail = CellDetail::Full;
    const QImage image = keptCellImage(geometry, content, style, background, fade, pixels, detail);
    if (isVectorFile(painter)) {
        // Without this, a PDF stores the image as a JPEG, which changes the colours.
        painter.setRenderHint(QPainter::LosslessImageRendering);
        // Make the image slightly smaller than the area, because Poppler adds a pixel to an image
        // that ends at a pixel boundary.
        constexpr double kHair = 0.02;
        painter.drawImage(geometry.cells.adjusted(0, 0, -kHair, -kHair),
                          inBlocks(image, geometry.cells.size()));
    } else if (geometry.separated() && geometry.rows * geometry.columns <= kMaxFilledCells) {
        // Fill the cells one by one. Qt would misplace the pixels of a greatly enlarged image by up
        // to a pixel.
        for (core::Index r = 0; r < geometry.rows; ++r)
            for (core::Index c = 0; c < geometry.columns; ++c)
                painter.fillRect(
                    geometry.cellRect(geometry.origin.row + r, geometry.origin.column + c),
                    QColor(image.pixel(static_cast<int>(c), static_cast<int>(r))));
    } else {
        painter.drawImage(geometry.cells, image);
    }
    if (!geometry.separated())
        return;
    for (core::Index c = geometry.origin.column + 1; c < geometry.endColumn(); ++c)
        painter.fillRect(QRectF(geometry.columnRect(c).left() - 1, geometry.cells.top(), 1,
                                geometry.cells.height()),
                         background);
    for (core::Index r = geometry.origin.row + 1; r < geometry.endRow(); ++r)
        painter.fillRect(
            QRectF(geometry.cells.left(), geometry.rowRect(r).top() - 1, geometry.cells.width(), 1),
            background);
}

void paintCellRects(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style,
                    const QColor &background, double fade) {
    const core::SharedMatrix matrix = content.matrix();
    std::vector<std::pair<QRgb, QRectF>> cells;
    for (core::Index r = geometry.origin.row; r < geometry.endRow(); ++r)
        for (core::Index c = geometry.origin.column; c < geometry.endColumn(); ++c) {
            QRectF rect = geometry.cellRect(r, c);
            if (geometry.separated())
                rect.adjust(0, 0, c + 1 < geometry.endColumn() ? -1 : 0,
                            r + 1 < geometry.endRow() ? -1 : 0);
            cells.emplace_back(faded(cellColour(content, matrix, r, c, style), background, fade),
                               rect);
        }
    // Group cells by colour, so that compactSvg() writes each colour once.
    std::ranges::stable_sort(cells, {}, &std::pair<QRgb, QRectF>::first);
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (i == 0 || cells[i].first != cells[i - 1].first)
            painter.setBrush(QColor(cells[i].first));
        painter.drawRect(cells[i].second);
    }
    painter.setBrush(Qt::NoBrush);
}

void paintHiddenMarks(QPainter &painter, const HeatmapGeometry &geometry,
                      const HeatmapContent &content, const QColor &colour) {
    if (!content.mask || !content.mask->hidesAnything() ||
        std::min(geometry.cell.width(), geometry.cell.height()) < kSmallestHiddenMark)
        return;
    QList<QLineF> lines;
    const double side = std::min(geometry.cell.width(), geometry.cell.height()) * kHiddenMark;
    const CellRange seen = cellsInSight(painter, geometry);
    for (core::Index r = seen.first.row; r < seen.end.row; ++r)
        for (core::Index c = seen.first.column; c < seen.end.column; ++c)
            if (content.isHidden(r, c)) {
                const QPointF centre = geometry.cellRect(r, c).center();
                lines.append({centre + QPointF(-side, side), centre + QPointF(side, -side)});
            }
    painter.setPen(QPen(colour, 1));
    painter.drawLines(lines);
}

/// Returns lines across the rectangle that rise to the right at 45°.
QList<QLineF> hatchOf(const QRectF &rect, double distance) {
    QList<QLineF> lines;
    for (double x = rect.left() - rect.height() + distance / 2; x < rect.right(); x += distance) {
        const double left = std::max(x, rect.left());
        const double right = std::min(x + rect.height(), rect.right());
        lines.append({{left, rect.bottom() - (left - x)}, {right, rect.bottom() - (right - x)}});
    }
    return lines;
}

/// Returns the outline of a row, column or cell, inside the heatmap's area. If cells are small, the
/// outline is around them, so that it does not cover their digits.
QRectF outlineRect(const HeatmapGeometry &geometry, const std::optional<core::Index> &row,
                   const std::optional<core::Index> &column) {
    QRectF rect = geometry.cells;
    if (row && column)
        rect = geometry.cellRect(*row, *column);
    else if (row)
        rect = geometry.rowRect(*row);
    else if (column)
        rect = geometry.columnRect(*column);
    const double shorter = std::min(geometry.cell.width(), geometry.cell.height());
    // On the right and at the bottom, the last pixel of a cell separates it from the next cell.
    if (geometry.separated() && shorter < kLowCell)
        return rect.adjusted(-2, -2, 1, 1).intersected(geometry.area);
    const double outside = shorter < kLowCell ? 2 : 0.5;
    return rect.adjusted(-outside, -outside, outside - 0.5, outside - 0.5)
        .intersected(geometry.area);
}

} // namespace

bool isVectorFile(const QPainter &painter) {
    const QPaintEngine::Type type = painter.paintEngine()->type();
    return type == QPaintEngine::Pdf || type == QPaintEngine::SVG;
}

void paintOutline(QPainter &painter, const QRectF &rect, const QColor &colour, double width,
                  Qt::PenStyle line) {
    QPen pen(colour, width, line);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double half = width / 2;
    painter.drawRect(rect.adjusted(half, half, -half, -half));
}

/// Paints an outline between two lines of the surface colour, so that it is visible on all cells.
static void paintRimmed(QPainter &painter, const QRectF &around, const QColor &colour, double width,
                        const FigureStyle &style) {
    paintOutline(painter, around, style.surface, width + 2);
    paintOutline(painter, around.adjusted(1, 1, -1, -1), colour, width);
}

void paintCells(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background, Device device, double fade,
                CellDetail detail) {
    if (content.matrix().empty() || geometry.cells.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (device == Device::Raster)
        paintCellImage(painter, geometry, content, style, background, fade, detail);
    else
        paintCellRects(painter, geometry, content, style, background, fade);
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintHiddenMarks(painter, geometry, content, mixed(style.hiddenLine, background, fade));
    painter.restore();
}

void paintHatch(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background,
                const std::optional<QSizeF> &number) {
    if (content.firstPaddingRow < 0)
        return;
    const core::Index first = std::max(content.firstPaddingRow, geometry.origin.row);
    if (first >= geometry.endRow())
        return;
    painter.setPen(QPen(mixed(style.mutedText, background, 0.45), 1, Qt::SolidLine, Qt::FlatCap));
    const double shorter = std::min(geometry.cell.width(), geometry.cell.height());
    if (!number && (shorter < kSmallestHiddenMark ||
                    (geometry.endRow() - first) * geometry.columns > kMaxHatchedCells)) {
        const QRectF last = geometry.rowRect(geometry.endRow() - 1);
        painter.drawLines(hatchOf(geometry.rowRect(first).united(last), kHatchDistance));
        return;
    }
    // Length of a stroke along each side, from the cell's corner.
    QSizeF reach = geometry.cell / 2;
    if (number) {
        const QSizeF beside = (geometry.cell - *number) / 2;
        const double free = beside.width() + beside.height() - kHatchAir;
        reach = reach.boundedTo(QSizeF(free, free)).expandedTo({kMinHatch, kMinHatch});
    }
    QList<QLineF> lines;
    for (core::Index r = first; r < geometry.endRow(); ++r)
        for (core::Index c = geometry.origin.column; c < geometry.endColumn(); ++c) {
            const QRectF cell = geometry.cellRect(r, c);
            lines.append({cell.topLeft() + QPointF(0, reach.height()),
                          cell.topLeft() + QPointF(reach.width(), 0)});
            lines.append({cell.bottomRight() - QPointF(reach.width(), 0),
                          cell.bottomRight() - QPointF(0, reach.height())});
        }
    painter.drawLines(lines);
}

void paintFrame(QPainter &painter, const HeatmapGeometry &geometry, const FigureStyle &style) {
    if (!geometry.cells.isEmpty())
        paintOutline(painter, geometry.cells.adjusted(-1, -1, 1, 1), style.border, 1);
}

void paintSelection(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style, double width) {
    if (style.isPaper)
        return;
    const bool row = content.selectedRow && geometry.showsRow(*content.selectedRow);
    const bool column = content.selectedColumn && geometry.showsColumn(*content.selectedColumn);
    // Paint a line of the surface colour around the outline, so that the outline is visible on all
    // cells.
    const auto outline = [&](const QRectF &rect, const QColor &colour, double pen) {
        paintOutline(painter, rect.adjusted(-1, -1, 1, 1).intersected(geometry.area), style.surface,
                     1);
        paintOutline(painter, rect, colour, pen);
    };
    if (row && column) {
        outline(outlineRect(geometry, content.selectedRow, {}), style.mutedText, 1);
        outline(outlineRect(geometry, content.selectedRow, content.selectedColumn), style.selection,
                width);
    } else if (row || column) {
        outline(outlineRect(geometry, row ? content.selectedRow : std::nullopt,
                            column ? content.selectedColumn : std::nullopt),
                style.selection, 0.75 * width);
    }
}

void paintMarks(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style) {
    if (style.isPaper || geometry.cells.isEmpty())
        return;
    for (const HeatmapMark &mark : content.marks) {
        if ((mark.row && !geometry.showsRow(*mark.row)) ||
            (mark.column && !geometry.showsColumn(*mark.column)))
            continue;
        const QRectF rect = outlineRect(geometry, mark.row, mark.column);
        if (mark.isFaint) {
            paintOutline(painter, rect, style.surface, 1);
            paintOutline(painter, rect, mark.colour, 1, Qt::DashLine);
            continue;
        }
        paintRimmed(painter, rect.adjusted(-1, -1, 1, 1).intersected(geometry.area), mark.colour, 2,
                    style);
    }
}

void paintRowMarks(QPainter &painter, const HeatmapGeometry &geometry,
                   const HeatmapContent &content, const FigureStyle &style) {
    if (!content.mask || geometry.cell.height() < 2)
        return;
    const QFont font = style.font(FigureStyle::Text::Label);
    const QString &words = content.emptyRowText;
    const double width = textWidth(words, font) + 10;
    for (core::Index r = geometry.origin.row; r < geometry.endRow(); ++r) {
        if (!content.seesNothing(r))
            continue;
        const QRectF row = geometry.rowRect(r);
        if (row.height() < lineHeight(font) || row.width() < width) {
            painter.fillRect(QRectF(row.left(), row.center().y() - 0.5, row.width(), 1),
                             style.mutedText);
            continue;
        }
        const QRectF place(row.center().x() - width / 2, row.top() + 1, width, row.height() - 3);
        painter.fillRect(place, style.hidden);
        drawLine(painter, place, Qt::AlignHCenter, words, font, style.mutedText);
    }
}

void paintSetByHand(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style) {
    if (style.isPaper)
        return;
    const double cell = std::min(geometry.cell.width(), geometry.cell.height());
    const double side = std::clamp(0.34 * cell, 3.0, 12.0);
    for (const Cell &at : content.setByHand) {
        if (!geometry.showsRow(at.row) || !geometry.showsColumn(at.column))
            continue;
        const QPointF corner = geometry.cellRect(at.row, at.column).topLeft();
        // The rim has the surface colour, so that the accent is visible on every colour of the map.
        painter.setPen(QPen(style.surface, cell < kSmallestHiddenMark ? 0.5 : 1));
        painter.setBrush(style.accent);
        painter.drawPolygon(
            QPolygonF{corner, corner + QPointF(side, 0), corner + QPointF(0, side)});
    }
    painter.setBrush(Qt::NoBrush);
}

} // namespace headlight::ui
