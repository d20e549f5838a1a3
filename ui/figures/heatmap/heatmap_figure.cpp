#include "ui/figures/heatmap/heatmap_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/heatmap/beside_column.h"
#include "ui/figures/heatmap/heatmap_painting.h"
#include "ui/figures/heatmap/painting_cache.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/text/sentences.h"
#include "ui/text/symbol_text.h"

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

double widest(const QStringList &texts, const QFont &font, PaintingCache *kept) {
    const auto measure = [&] {
        double width = 0;
        for (const QString &text : texts)
            width = std::max(width, textWidth(text, font));
        return std::ceil(width);
    };
    return kept ? kept->width(texts, font, measure) : measure();
}

double axisWidth(const HeatmapContent &content, const FigureStyle &style) {
    return std::ceil(textWidth(columnAxisText(content), style.font(FigureStyle::Text::Label)));
}

} // namespace

void HeatmapContent::setScale(ColourScale colours, const FigureStyle &style,
                              const FigureOptions &options) {
    scale = std::move(colours);
    scale.toneDown(style.isDark);
    scale.setScaling(options.scaling);
    blocks = options.blocks;
    numbers = options.numbers;
}

QString HeatmapContent::besideWords() const {
    return beside.empty()
               ? QString()
               : HeatmapFigure::tr("A column next to the cells shows the %1.").arg(besideLabel);
}

void HeatmapContent::select(std::optional<core::Index> row, std::optional<core::Index> column) {
    const core::SharedMatrix whole = matrix();
    selectedRow = row < whole.rows ? row : std::nullopt;
    selectedColumn = column < whole.columns ? column : std::nullopt;
}

HeatmapFigure::HeatmapFigure(HeatmapContent content, FigureStyle style)
    : m_content(std::move(content)), m_style(std::move(style)) {
    // Reserve space for bold labels, so that a selection does not move the layout.
    const QFont font = m_style.font(FigureStyle::Text::Label, true);
    PaintingCache *kept = m_content.keptPainting.get();
    m_rowLabelWidth = widest(m_content.rowLabels, font, kept);
    m_columnLabelWidth = widest(m_content.columnLabels, font, kept);
    m_wordsWidths = {textWidth(m_content.title, m_style.font(FigureStyle::Text::Title, true)),
                     textWidth(m_content.subtitle, m_style.font(FigureStyle::Text::Label)),
                     m_content.matrix().empty() ? 0 : colourBarWidth(m_content.scale, m_style)};
}

HeatmapFigure HeatmapFigure::fromTrace(const core::TracePointer &trace,
                                       const core::Selection &selection, const FigureStyle &style,
                                       const FigureOptions &options, HeatmapCache *kept) {
    HeatmapContent content = contentOf(trace, selection, style, options, kept);
    addSinkColumn(content, trace, selection, options);
    return HeatmapFigure(std::move(content), style);
}

void HeatmapFigure::select(std::optional<core::Index> row, std::optional<core::Index> column) {
    if (!m_content.tensor.isNull())
        m_content.select(row, column);
}

HeatmapRequest HeatmapFigure::request(const QRectF &area) const {
    const core::SharedMatrix matrix = m_content.matrix();
    HeatmapRequest request;
    request.area = area;
    request.rows = matrix.rows;
    request.columns = matrix.columns;
    request.lineHeight = lineHeight(m_style.font(FigureStyle::Text::Label));
    if (!m_content.title.isEmpty())
        request.titleHeight = lineHeight(m_style.font(FigureStyle::Text::Title, true)) + 2;
    if (!m_content.subtitle.isEmpty())
        request.subtitleHeight = request.lineHeight + 1;
    request.rowLabelWidth = m_rowLabelWidth;
    request.columnLabelWidth = m_columnLabelWidth;
    request.slantColumnLabels = m_content.columnsAreTokens;
    if (!m_content.columnAxis.isEmpty() && m_rowLabelWidth > 0)
        request.rowLabelWidth =
            std::max(m_rowLabelWidth, axisWidth(m_content, m_style) - request.lineHeight);
    request.wordsWidths = m_wordsWidths;
    request.rowAxis = !m_content.rowAxis.isEmpty();
    request.columnAxis = !m_content.columnAxis.isEmpty();
    request.columnGroups = !m_content.columnGroups.isEmpty();
    request.besideWidth = besideWidth(m_content, m_style);
    request.maximumCell =
        std::max(m_style.scaled(64), 0.18 * std::min(area.width(), area.height()));
    request.minimumAspect = m_content.minimumAspect;
    request.maximumAspect = m_content.maximumAspect;
    request.focusRow = m_content.selectedRow;
    request.focusColumn = m_content.selectedColumn;
    return request;
}

QSizeF HeatmapFigure::naturalSize() const {
    const core::SharedMatrix matrix = m_content.matrix();
    const auto side = [&](core::Index count) {
        const double cell = count <= 16 ? m_style.scaled(32) : count <= 48 ? 18 : 6;
        return std::clamp(static_cast<double>(count) * cell, 96.0, 900.0);
    };
    const double labels = m_rowLabelWidth + m_style.scaled(60);
    const double heads = std::min(m_columnLabelWidth, 120.0) + m_style.scaled(100);
    const double words =
        std::max(textWidth(m_content.title, m_style.font(FigureStyle::Text::Title, true)),
                 textWidth(m_content.subtitle, m_style.font(FigureStyle::Text::Label)));
    const double least =
        std::clamp(words + 2 * kFigureMargin + 1, m_style.scaled(280), m_style.scaled(480));
    const QSizeF roomy{std::max(least, side(matrix.columns) + labels + 2 * kFigureMargin),
                       side(matrix.rows) + heads + 2 * kFigureMargin};
    if (matrix.empty())
        return roomy;
    // Whole-pixel cells and short labels leave some of `roomy` unused.
    const auto placed = [&](QSizeF size) {
        return HeatmapGeometry::of(
            request(QRectF(kFigureMargin, kFigureMargin, size.width() - 2 * kFigureMargin,
                           size.height() - 2 * kFigureMargin)));
    };
    const HeatmapGeometry whole = placed(roomy);
    const auto isAsGood = [&](const HeatmapGeometry &other) {
        return other.cell == whole.cell && other.slanted == whole.slanted &&
               other.rowLabelWidth >= whole.rowLabelWidth &&
               other.columnLabelWidth >= whole.columnLabelWidth;
    };
    const QSizeF close{std::ceil(std::max(least, whole.used.right() + kFigureMargin)),
                       std::ceil(whole.used.bottom() + kFigureMargin)};
    // Labels are limited to a share of the area, so they may need more than `close`.
    for (const double kept : {0.0, 0.25, 0.5, 0.75}) {
        const QSizeF size = close + kept * (roomy - close);
        if (isAsGood(placed(size)))
            return {std::ceil(size.width()), std::ceil(size.height())};
    }
    return roomy;
}

QSizeF HeatmapFigure::minimumSize() const {
    return {m_style.scaled(160), m_style.scaled(140)};
}

double HeatmapFigure::heightFor(double width) const {
    const double usual = Figure::heightFor(width);
    if (m_content.matrix().empty())
        return usual;
    // Make the cells as large as the width allows, without blank space below.
    const auto usedAt = [&](double height) {
        return std::ceil(geometry(QRectF(0, 0, width, height)).used.bottom() + kFigureMargin);
    };
    const double close = std::max(usedAt(1.5 * usual), minimumSize().height());
    return usedAt(close) <= close ? close : usual;
}

HeatmapGeometry HeatmapFigure::geometry(const QRectF &area) const {
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    HeatmapGeometry geometry = HeatmapGeometry::of(request(inner));
    // Divide the unused width between both sides.
    const double spare = std::floor((inner.right() - geometry.used.right()) / 2);
    if (geometry.columns > 0 && spare > kFigureMargin) {
        geometry.moveBy({spare, 0});
        geometry.setTextExtent(std::ceil(inner.left()) + spare, inner.right());
    }
    return geometry;
}

void HeatmapFigure::paint(QPainter &painter, const QRectF &area, Device device) const {
    painter.save();
    paintBackground(painter, area, m_style.surface, m_style);
    paintContent(painter, geometry(area), device);
    painter.restore();
}

void HeatmapFigure::paintContent(QPainter &painter, const HeatmapGeometry &geometry, Device device,
                                 CellDetail detail) const {
    painter.setRenderHint(QPainter::Antialiasing, true);
    // Show only the symbol if the full title, such as "A  attention weights", does not fit.
    const bool fits = titleWidth() <= geometry.title.width() + 0.5;
    drawHeading(painter, geometry.title,
                fits ? m_content.title : m_content.title.section(QStringLiteral("  "), 0, 0),
                m_style.font(FigureStyle::Text::Title, true),
                m_content.titleColour.isValid() ? m_content.titleColour : m_style.text);
    const QFont label = m_style.font(FigureStyle::Text::Label);
    drawLine(painter, geometry.subtitle, Qt::AlignLeft,
             firstParts(subtitleIn(geometry), label, geometry.subtitle.width()), label,
             m_style.mutedText);
    if (m_content.matrix().empty())
        return paintAbsence(painter, geometry.area.adjusted(0, geometry.title.height(), 0, 0),
                            m_content.absence, m_style);
    const Device cells = cellCount() > kMaxVectorCells ? Device::Raster : device;
    if (m_content.awaited.isEmpty())
        paintCells(painter, geometry, m_content, m_style, m_style.surface, cells, 1, detail);
    else
        paintAbsence(painter, geometry.cells, m_content.awaited, m_style);
    paintNumbers(painter, geometry, m_content, m_style, m_style.surface);
    paintFrame(painter, geometry, m_style);
    paintBeside(painter, geometry, m_content, m_style, m_style.surface, cells);
    paintColumnGroups(painter, geometry, m_content, m_style);
    paintRowMarks(painter, geometry, m_content, m_style);
    paintLabels(painter, geometry, m_content, m_style);
    paintSelection(painter, geometry, m_content, m_style);
    paintMarks(painter, geometry, m_content, m_style);
    paintSetByHand(painter, geometry, m_content, m_style);
    const bool crowded = geometry.cell.width() < 1 || geometry.cell.height() < 1;
    const QString note = !crowded ? QString()
                         : m_content.blocks == BlockNumber::Mean
                             ? tr("each pixel shows the mean of its cells")
                             : tr("each pixel shows its strongest cell");
    paintColourBar(painter, geometry.colourBar, m_content.scale, m_style, note);
}

QString HeatmapFigure::subtitleIn(const HeatmapGeometry &geometry) const {
    if (!geometry.isWindow)
        return m_content.subtitle;
    const core::SharedMatrix matrix = m_content.matrix();
    const auto span = [](core::Index first, core::Index end) {
        return QStringLiteral("%1–%2").arg(first).arg(end - 1);
    };
    QStringList parts;
    if (geometry.rows < matrix.rows)
        parts.append(tr("rows %1").arg(span(geometry.origin.row, geometry.endRow())));
    if (geometry.columns < matrix.columns)
        parts.append(tr("columns %1").arg(span(geometry.origin.column, geometry.endColumn())));
    const QString shape = shapeText(matrix.rows, matrix.columns);
    const QString partText = tr("%1 of %2").arg(parts.join(QStringLiteral(", ")), shape);
    QString subtitle = m_content.subtitle;
    return subtitle.contains(shape) ? subtitle.replace(shape, partText)
                                    : QStringList{partText, subtitle}.join(QStringLiteral(" · "));
}

qint64 HeatmapFigure::cellCount() const {
    const core::SharedMatrix matrix = m_content.matrix();
    return matrix.rows * matrix.columns;
}

QString HeatmapFigure::description() const {
    const core::SharedMatrix matrix = m_content.matrix();
    if (!m_content.absence.isEmpty())
        return labelled(plainSymbols(m_content.title), ended(m_content.absence));
    if (matrix.empty())
        return m_content.subtitle;
    const QString heatmap =
        tr("Heatmap of %1 (%2), %3 rows and %4 columns; colours from %5 to %6, %7.")
            .arg(plainSymbols(m_content.title), m_content.subtitle)
            .arg(matrix.rows)
            .arg(matrix.columns)
            .arg(m_content.scale.lowText(), m_content.scale.highText(),
                 m_content.scale.rangeText());
    return sentences({heatmap, m_content.besideWords()});
}

} // namespace headlight::ui
