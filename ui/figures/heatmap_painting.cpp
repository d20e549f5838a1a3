#include "ui/figures/heatmap_painting.h"

#include "ui/figures/number_text.h"
#include "ui/figures/text.h"

#include <QLinearGradient>
#include <QPaintEngine>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kSmallestHiddenMark = 10; // px of a cell: smaller ones have the colour alone
constexpr qint64 kMostHatchedCells = 10000;

QRgb colourAt(const HeatmapContent &content, const core::MatrixView &matrix, core::Index row,
              core::Index column, const FigureStyle &style) {
    if (content.isHidden(row, column))
        return style.hidden.rgb();
    return content.scale.colour(row, static_cast<double>(matrix(row, column)));
}

QRgb faded(QRgb colour, const QColor &background, double fade) {
    return fade >= 1 ? colour : mixed(QColor(colour), background, fade).rgb();
}

/// How many pixels of the image the cells get on this side: one each, or one a device pixel where
/// cells are smaller.
int sampled(core::Index cells, double devicePixels) {
    const auto pixels = static_cast<core::Index>(std::ceil(std::max(1.0, devicePixels)));
    return static_cast<int>(std::min(cells, pixels));
}

/// Image pixels for each logical pixel: the device's own, and in vector files enough to look
/// closely.
double densityOf(const QPainter &painter) {
    constexpr double kInVectorFiles = 4;
    const QPaintEngine::Type type = painter.paintEngine()->type();
    if (type == QPaintEngine::Pdf || type == QPaintEngine::SVG)
        return kInVectorFiles;
    return painter.deviceTransform().mapRect(QRectF(0, 0, 1, 1)).width();
}

/// Cells first … last − 1 on one side, those that fall on one pixel of the image.
struct Stretch {
    core::Index first, last;
};
Stretch stretchOf(int pixel, int pixels, core::Index cells) {
    return {pixel * cells / pixels,
            std::max((pixel + 1) * cells / pixels, pixel * cells / pixels + 1)};
}

/// The colour of the cell that is farthest from zero, so that a single strong one is never lost
/// between pixels.
QRgb strongestColour(const HeatmapContent &content, const core::MatrixView &matrix, Stretch rows,
                     Stretch columns, const FigureStyle &style) {
    core::Index row = rows.first;
    core::Index column = columns.first;
    float strongest = -1;
    for (core::Index r = rows.first; r < rows.last; ++r) {
        const auto values = matrix.row(r);
        for (core::Index c = columns.first; c < columns.last; ++c) {
            const float size = std::abs(values[static_cast<std::size_t>(c)]);
            if (size > strongest && !content.isHidden(r, c)) {
                strongest = size;
                row = r;
                column = c;
            }
        }
    }
    return colourAt(content, matrix, row, column, style);
}

void paintCellImage(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style,
                    const QColor &background, double fade) {
    const core::MatrixView matrix = content.matrix();
    const double density = densityOf(painter);
    const int width = sampled(matrix.columns, geometry.cells.width() * density);
    const int height = sampled(matrix.rows, geometry.cells.height() * density);
    QImage image(width, height, QImage::Format_RGB32);
    for (int y = 0; y < height; ++y) {
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        const Stretch rows = stretchOf(y, height, matrix.rows);
        for (int x = 0; x < width; ++x) {
            const Stretch columns = stretchOf(x, width, matrix.columns);
            const QRgb colour = strongestColour(content, matrix, rows, columns, style);
            line[x] = faded(colour, background, fade);
        }
    }
    painter.drawImage(geometry.cells, image);
    if (!geometry.separated())
        return;
    for (core::Index c = 1; c < matrix.columns; ++c)
        painter.fillRect(QRectF(geometry.columnRect(c).left() - 1, geometry.cells.top(), 1,
                                geometry.cells.height()),
                         background);
    for (core::Index r = 1; r < matrix.rows; ++r)
        painter.fillRect(
            QRectF(geometry.cells.left(), geometry.rowRect(r).top() - 1, geometry.cells.width(), 1),
            background);
}

void paintCellRects(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style,
                    const QColor &background, double fade) {
    const core::MatrixView matrix = content.matrix();
    painter.setPen(Qt::NoPen);
    for (core::Index r = 0; r < matrix.rows; ++r)
        for (core::Index c = 0; c < matrix.columns; ++c) {
            QRectF rect = geometry.cellRect(r, c);
            if (geometry.separated())
                rect.adjust(0, 0, c + 1 < matrix.columns ? -1 : 0, r + 1 < matrix.rows ? -1 : 0);
            painter.setBrush(
                QColor(faded(colourAt(content, matrix, r, c, style), background, fade)));
            painter.drawRect(rect);
        }
    painter.setBrush(Qt::NoBrush);
}

void paintHiddenMarks(QPainter &painter, const HeatmapGeometry &geometry,
                      const HeatmapContent &content, const QColor &colour) {
    if (!content.mask || !content.mask->hidesAnything() ||
        std::min(geometry.cell.width(), geometry.cell.height()) < kSmallestHiddenMark)
        return;
    QList<QLineF> lines;
    const double side = std::min(geometry.cell.width(), geometry.cell.height()) * 0.22;
    for (core::Index r = 0; r < geometry.rows; ++r)
        for (core::Index c = 0; c < geometry.columns; ++c)
            if (content.isHidden(r, c)) {
                const QPointF centre = geometry.cellRect(r, c).center();
                lines.append({centre + QPointF(-side, side), centre + QPointF(side, -side)});
            }
    painter.setPen(QPen(colour, 1));
    painter.drawLines(lines);
}

/// Two strokes a cell that join into a hatch and leave the middle of every cell as it is.
void paintHatch(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background) {
    const core::Index first = content.firstPaddingRow;
    if (first < 0 || first >= geometry.rows || geometry.cell.width() < kSmallestHiddenMark ||
        geometry.cell.height() < kSmallestHiddenMark ||
        (geometry.rows - first) * geometry.columns > kMostHatchedCells)
        return;
    QList<QLineF> lines;
    for (core::Index r = first; r < geometry.rows; ++r)
        for (core::Index c = 0; c < geometry.columns; ++c) {
            const QRectF cell = geometry.cellRect(r, c);
            const QPointF middle = cell.center();
            lines.append({{cell.left(), middle.y()}, {middle.x(), cell.top()}});
            lines.append({{middle.x(), cell.bottom()}, {cell.right(), middle.y()}});
        }
    painter.setPen(QPen(mixed(style.mutedText, background, 0.45), 1));
    painter.drawLines(lines);
}

} // namespace

void paintOutline(QPainter &painter, const QRectF &rect, const QColor &colour, double width) {
    QPen pen(colour, width);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const double half = width / 2;
    painter.drawRect(rect.adjusted(half, half, -half, -half));
}

void paintCells(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                const FigureStyle &style, const QColor &background, Device device, double fade) {
    if (content.matrix().empty() || geometry.cells.isEmpty())
        return;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    if (device == Device::Raster)
        paintCellImage(painter, geometry, content, style, background, fade);
    else
        paintCellRects(painter, geometry, content, style, background, fade);
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintHiddenMarks(painter, geometry, content, mixed(style.hiddenLine, background, fade));
    paintHatch(painter, geometry, content, style, background);
    painter.restore();
}

void paintNumbers(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                  const FigureStyle &style) {
    const QFont font = style.font(FigureStyle::Text::Cell);
    const double height = lineHeight(font);
    const double room = geometry.cell.width() - 4;
    if (!content.numbers || content.matrix().empty() || geometry.cell.height() < height ||
        room < textWidth(QStringLiteral("0"), font))
        return;
    const core::MatrixView matrix = content.matrix();
    QStringList
        texts; // all of them, or none: a number missing here and there would look like a meaning
    texts.reserve(static_cast<qsizetype>(matrix.rows * matrix.columns));
    for (core::Index r = 0; r < matrix.rows; ++r)
        for (core::Index c = 0; c < matrix.columns; ++c) {
            texts.append(cellText(static_cast<double>(matrix(r, c))));
            if (textWidth(texts.last(), font) > room)
                return;
        }
    for (core::Index r = 0; r < matrix.rows; ++r)
        for (core::Index c = 0; c < matrix.columns; ++c) {
            if (content.isHidden(r, c))
                continue; // said by its look: what was hidden has no number of its own
            const QRgb fill = content.scale.colour(r, static_cast<double>(matrix(r, c)));
            drawLine(painter, geometry.cellRect(r, c), Qt::AlignHCenter,
                     texts[static_cast<qsizetype>(r * matrix.columns + c)], font,
                     wantsDarkText(fill) ? QColor(Qt::black) : QColor(Qt::white));
        }
}

void paintSelection(QPainter &painter, const HeatmapGeometry &geometry,
                    const HeatmapContent &content, const FigureStyle &style, double width) {
    const auto inRange = [](const std::optional<core::Index> &index, core::Index count) {
        return index && *index >= 0 && *index < count;
    };
    const bool row = inRange(content.selectedRow, geometry.rows);
    const bool column = inRange(content.selectedColumn, geometry.columns);
    // Around small cells the outline lies outside, or it would hide what it points at.
    const double outside = std::min(geometry.cell.width(), geometry.cell.height()) < 8 ? 2 : 0.5;
    const auto around = [&](const QRectF &rect) {
        return rect.adjusted(-outside, -outside, outside - 0.5, outside - 0.5)
            .intersected(geometry.area);
    };
    if (row && column) {
        paintOutline(painter, around(geometry.rowRect(*content.selectedRow)), style.mutedText, 1);
        paintOutline(painter,
                     around(geometry.cellRect(*content.selectedRow, *content.selectedColumn)),
                     style.selection, width);
    } else if (row) {
        paintOutline(painter, around(geometry.rowRect(*content.selectedRow)), style.selection,
                     0.75 * width);
    } else if (column) {
        paintOutline(painter, around(geometry.columnRect(*content.selectedColumn)), style.selection,
                     0.75 * width);
    }
}

QString columnAxisText(const HeatmapContent &content) {
    return content.columnAxis + QStringLiteral(" →");
}

void paintLabels(QPainter &painter, const HeatmapGeometry &geometry, const HeatmapContent &content,
                 const FigureStyle &style) {
    // A selected row's or column's label is always there; others that would touch it make room.
    const auto shown = [](core::Index index, core::Index step,
                          const std::optional<core::Index> &selected) {
        if (selected == index)
            return true;
        return index % step == 0 && (!selected || std::abs(index - *selected) >= step);
    };
    const auto fontOf = [&](bool selected) {
        return style.font(FigureStyle::Text::Label, selected);
    };
    const auto colourOfLabel = [&](bool selected) {
        return selected ? style.text : style.mutedText;
    };

    for (core::Index r = 0; r < std::min<core::Index>(geometry.rows, content.rowLabels.size()); ++r)
        if (geometry.rowLabelWidth > 0 && shown(r, geometry.rowLabelStep, content.selectedRow)) {
            const bool selected = content.selectedRow == r;
            drawLine(painter, geometry.rowLabel(r), Qt::AlignRight, content.rowLabels[r],
                     fontOf(selected), colourOfLabel(selected), Qt::ElideRight);
        }
    for (core::Index c = 0;
         c < std::min<core::Index>(geometry.columns, content.columnLabels.size()); ++c) {
        if (geometry.columnLabelWidth <= 0 ||
            !shown(c, geometry.columnLabelStep, content.selectedColumn))
            continue;
        const bool selected = content.selectedColumn == c;
        if (!selected && !geometry.columnLabelFits(c))
            continue;
        const QFont font = fontOf(selected);
        if (!geometry.slanted) {
            drawLine(painter, geometry.columnLabel(c), Qt::AlignHCenter, content.columnLabels[c],
                     font, colourOfLabel(selected));
            continue;
        }
        painter.save();
        painter.translate(geometry.columnLabelStart(c));
        painter.rotate(-45);
        drawLine(
            painter,
            QRectF(0, -geometry.lineHeight / 2, geometry.columnLabelWidth, geometry.lineHeight),
            Qt::AlignLeft, content.columnLabels[c], font, colourOfLabel(selected));
        painter.restore();
    }
    const QFont axisFont = style.font(FigureStyle::Text::Label);
    if (!geometry.columnAxis.isEmpty())
        drawLine(painter, geometry.columnAxis, Qt::AlignRight, columnAxisText(content), axisFont,
                 style.mutedText);
    if (!geometry.rowAxis.isEmpty()) {
        const QRectF &axis = geometry.rowAxis;
        painter.save();
        painter.translate(axis.left(), axis.bottom());
        painter.rotate(-90);
        drawLine(painter, QRectF(0, 0, axis.height(), axis.width()), Qt::AlignRight,
                 content.rowAxis, axisFont, style.mutedText);
        painter.restore();
    }
}

void paintColourBar(QPainter &painter, const QRectF &rect, const ColourScale &scale,
                    const FigureStyle &style, const QString &note) {
    if (rect.isEmpty())
        return;
    const QFont font = style.font(FigureStyle::Text::Label);
    const double gap = style.scaled(5);
    const QString low = scale.lowText();
    const QString high = scale.highText();
    double x = rect.left();
    const auto write = [&](const QString &text, const QColor &colour) {
        const QRectF place(x, rect.top(), std::max(0.0, rect.right() - x), rect.height());
        drawLine(painter, place, Qt::AlignLeft, text, font, colour);
        x += textWidth(text, font) + gap;
    };
    write(low, style.text);
    const double width = std::clamp(rect.width() * 0.3, 24.0, 120.0);
    const double height = std::round(rect.height() * 0.55);
    const QRectF bar(std::round(x), std::round(rect.center().y() - height / 2), std::round(width),
                     height);
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    constexpr int kStops = 40; // a multiple of the maps' own joints
    for (int i = 0; i <= kStops; ++i) {
        const double t = static_cast<double>(i) / kStops;
        gradient.setColorAt(t, QColor(colourOf(scale.map(), t)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRect(bar);
    painter.setBrush(Qt::NoBrush);
    x = bar.right() + gap;
    write(high, style.text);
    x += gap;
    write(note.isEmpty() ? scale.rangeText() : scale.rangeText() + QStringLiteral(" · ") + note,
          style.mutedText);
}

} // namespace headlight::ui
