#include "ui/figures/softmax/softmax_spread_plot.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/output/output_content.h"
#include "ui/figures/text/symbol_spans.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct SoftmaxSpreadText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SoftmaxSpread)
};

using SpreadText = FigureStyle::Text;

constexpr double kMinHistogram = 110; // px, height
constexpr double kTableGap = 18;      // px between columns
constexpr double kMaxNameShare = 0.5; // relative to the table's width

QString plainName() {
    return QStringLiteral("q·k");
}
QString scaledName() {
    return QStringLiteral("q·k ÷ √d_k");
}

QString keyText() {
    return SoftmaxSpreadText::tr(
        "Frequency of each value; each histogram is scaled to its highest bin");
}

QColor plainColour(const FigureStyle &style) {
    return style.key;
}
QColor scaledColour(const FigureStyle &style) {
    return style.accent;
}

QFont tableFont(const FigureStyle &style) {
    return style.font(SpreadText::Body);
}

double widestOf(const QStringList &texts, const QFont &font) {
    double widest = 0;
    for (const QString &text : texts)
        widest = std::max(widest, textWidth(text, font));
    return std::ceil(widest);
}

struct TableColumns {
    double name, plain, scaled;
};

/// Returns the widths of the columns. The number columns have their natural widths. The names use
/// the remaining width and wrap if necessary.
TableColumns tableColumns(const SoftmaxContent &content, const FigureStyle &style, double width) {
    const QFont font = tableFont(style), heading = style.font(SpreadText::Body, true);
    TableColumns columns{};
    columns.plain = std::max(widestOf(content.plain, font), widestOf({plainName()}, heading));
    columns.scaled = std::max(widestOf(content.scaled, font), widestOf({scaledName()}, heading));
    const double rest = width - columns.plain - columns.scaled - 2 * style.scaled(kTableGap);
    columns.name = std::max(style.scaled(60), std::min(rest, widestOf(content.rows, font)));
    return columns;
}

double tableMargin(const FigureStyle &style) {
    return style.scaled(20);
}

/// True if the table is beside the plot, false if it is below.
bool isTableBeside(double width, const FigureStyle &style) {
    return width > style.scaled(620);
}

double tableWidthIn(double width, const FigureStyle &style) {
    return isTableBeside(width, style) ? std::floor(std::min(0.46 * width, style.scaled(460)))
                                       : width;
}

double rowPadding(const FigureStyle &style) {
    return style.scaled(6);
}

double tableHeight(const SoftmaxContent &content, const FigureStyle &style, double width) {
    const TableColumns columns = tableColumns(content, style, width);
    double height = lineHeight(tableFont(style)) + rowPadding(style);
    for (const QString &row : content.rows)
        height += std::ceil(wrappedHeight(row, tableFont(style), columns.name)) + rowPadding(style);
    return height;
}

/// Returns the histogram's outline from left to right. Its highest bin has the full height.
QPolygonF outlineOf(const core::DrawnScores &drawn, const SoftmaxSpreadGeometry &places) {
    const double width = 2 * core::kSpreadReach * drawn.expected / double(core::kSpreadBins);
    const double most = static_cast<double>(
        std::max<core::Index>(1, *std::max_element(drawn.bins.begin(), drawn.bins.end())));
    QPolygonF outline;
    const double left = -core::kSpreadReach * drawn.expected;
    outline << QPointF(places.xOf(left), places.plot.bottom());
    for (std::size_t bin = 0; bin < core::kSpreadBins; ++bin) {
        const double y = places.plot.bottom() -
                         static_cast<double>(drawn.bins[bin]) / most * (places.plot.height() - 4);
        outline << QPointF(places.xOf(left + width * double(bin)), y)
                << QPointF(places.xOf(left + width * double(bin + 1)), y);
    }
    outline << QPointF(places.xOf(-left), places.plot.bottom());
    return outline;
}

void paintHistogram(QPainter &painter, const core::DrawnScores &drawn,
                    const SoftmaxSpreadGeometry &places, const QColor &colour,
                    const FigureStyle &style) {
    painter.setPen(QPen(colour, 1.5));
    painter.setBrush(mixed(colour, style.surface, 0.25));
    painter.drawPolygon(outlineOf(drawn, places));
}

void paintTable(QPainter &painter, const SoftmaxSpreadGeometry &places,
                const SoftmaxContent &content, const FigureStyle &style) {
    const QFont font = tableFont(style), bold = style.font(SpreadText::Body, true);
    for (std::size_t i = 0; i < places.rows.size(); ++i) {
        const SoftmaxSpreadGeometry::Row &row = places.rows[i];
        if (i == 0) {
            drawLine(painter, row.plain, Qt::AlignRight, plainName(), bold, plainColour(style));
            const Spans scaled = symbolSpans(scaledName(), scaledColour(style), true);
            QRectF available = row.scaled; // right-aligned, like the numbers
            available.setLeft(available.right() - spansWidth(scaled, tableFont(style)));
            drawSpans(painter, available, scaled, tableFont(style));
            continue;
        }
        const auto at = static_cast<qsizetype>(i - 1);
        painter.setPen(QPen(style.border, 1));
        const double y = std::round(row.name.top() - rowPadding(style) / 2) + 0.5;
        painter.drawLine(QPointF(places.table.left(), y), QPointF(row.scaled.right(), y));
        drawWrapped(painter, row.name, Qt::AlignLeft, content.rows[at], font, style.mutedText);
        drawLine(painter, row.plain, Qt::AlignRight, content.plain.value(at), font, style.text);
        drawLine(painter, row.scaled, Qt::AlignRight, content.scaled.value(at), font, style.text);
    }
}

} // namespace

double SoftmaxSpreadGeometry::xOf(double score) const {
    return plot.center().x() + score / reach * plot.width() / 2;
}

double SoftmaxSpreadGeometry::scoreAt(double x) const {
    return (x - plot.center().x()) / (plot.width() / 2) * reach;
}

QSizeF minSoftmaxSpread(const SoftmaxContent &content, const FigureStyle &style, double width) {
    const double wide = std::max(style.scaled(320), width);
    const double line = lineHeight(style.font(SpreadText::Label));
    const bool beside = isTableBeside(wide, style);
    const double plotWide = beside ? wide - tableWidthIn(wide, style) - tableMargin(style) : wide;
    const double plot = style.scaled(kMinHistogram) + 3 * line +
                        wrappedHeight(keyText(), style.font(SpreadText::Label), plotWide);
    const double table = tableHeight(content, style, tableWidthIn(wide, style));
    return {style.scaled(320),
            std::ceil(beside ? std::max(plot, table) : plot + tableMargin(style) + table)};
}

SoftmaxSpreadGeometry softmaxSpreadGeometry(const SoftmaxContent &content, const FigureStyle &style,
                                            const QRectF &area) {
    SoftmaxSpreadGeometry places;
    places.area = area;
    const double line = lineHeight(style.font(SpreadText::Label));
    const double gap = tableMargin(style);
    const bool isBeside = isTableBeside(area.width(), style);
    const double tableWidth = tableWidthIn(area.width(), style);
    const double tall = tableHeight(content, style, tableWidth);
    QRectF left = area;
    if (isBeside) {
        left.setWidth(area.width() - tableWidth - gap);
        places.table = QRectF(area.right() - tableWidth, area.top(), tableWidth, tall);
    } else {
        left.setHeight(std::max(1.0, area.height() - tall - gap));
        places.table = QRectF(area.left(), left.bottom() + gap, tableWidth, tall);
    }
    places.key =
        QRectF(left.left(), left.top(), left.width(),
               std::ceil(wrappedHeight(keyText(), style.font(SpreadText::Label), left.width())));
    places.axisName = QRectF(left.left(), left.bottom() - line, left.width(), line);
    places.axisNumbers = places.axisName.translated(0, -line - 2);
    places.plot = QRectF(QPointF(left.left(), places.key.bottom() + 6),
                         QPointF(left.right(), places.axisNumbers.top() - 4));
    places.reach = content.spread ? core::kSpreadReach * content.spread->plain.expected : 1;
    const double widest = textWidth(QStringLiteral("−000"), style.font(SpreadText::Label));
    places.step =
        roundStep(2 * places.reach / std::max(2.0, std::floor(places.plot.width() / widest / 1.6)));
    places.ticks = ticksBetween(-places.reach, places.reach, places.step);
    const TableColumns columns = tableColumns(content, style, tableWidth);
    const QFont font = tableFont(style);
    const double available = tableWidth - columns.name - columns.plain - columns.scaled;
    const double between = std::max(0.0, std::min(style.scaled(2 * kTableGap), available / 2));
    double top = places.table.top();
    for (qsizetype i = -1; i < content.rows.size(); ++i) {
        const double height = i < 0 ? lineHeight(font)
                                    : std::ceil(wrappedHeight(content.rows[i], font, columns.name));
        SoftmaxSpreadGeometry::Row row;
        row.name = QRectF(places.table.left(), top, columns.name, height);
        row.plain = QRectF(row.name.right() + between, top, columns.plain, lineHeight(font));
        row.scaled = QRectF(row.plain.right() + between, top, columns.scaled, lineHeight(font));
        places.rows.push_back(row);
        top += height + rowPadding(style);
    }
    return places;
}

void paintSoftmaxSpread(QPainter &painter, const SoftmaxSpreadGeometry &places,
                        const SoftmaxContent &content, const FigureStyle &style) {
    const QFont label = style.font(SpreadText::Label);
    if (!content.spread) {
        drawLine(painter, places.key, Qt::AlignLeft, SoftmaxSpreadText::tr("Sampling …"), label,
                 style.mutedText);
        paintTable(painter, places, content, style);
        return;
    }
    drawWrapped(painter, places.key, Qt::AlignLeft, keyText(), label, style.mutedText);
    paintHistogram(painter, content.spread->plain, places, plainColour(style), style);
    paintHistogram(painter, content.spread->scaled, places, scaledColour(style), style);
    painter.setPen(QPen(style.mutedText, 1));
    const double y = std::round(places.plot.bottom()) + 0.5;
    painter.drawLine(QPointF(places.plot.left(), y), QPointF(places.plot.right(), y));
    for (const double tick : places.ticks) {
        const QString text = tickText(tick, places.step);
        const double width = std::ceil(textWidth(text, label));
        const double x = places.xOf(tick);
        painter.setPen(QPen(style.mutedText, 1));
        painter.drawLine(QPointF(x, y), QPointF(x, y + 3));
        const double left =
            std::clamp(x - width / 2, places.plot.left(), places.plot.right() - width);
        drawFitting(painter,
                    QRectF(left, places.axisNumbers.top(), width, places.axisNumbers.height()),
                    text, label, style.mutedText);
    }
    drawLine(painter, places.axisName, Qt::AlignHCenter,
             SoftmaxSpreadText::tr("value of the dot product"), label, style.mutedText);
    paintTable(painter, places, content, style);
}

QString spreadText(const SoftmaxSpreadGeometry &places, const SoftmaxContent &content,
                   QPointF point) {
    if (!content.spread || !places.plot.contains(point))
        return {};
    const double score = places.scoreAt(point.x());
    const auto of = [&](const core::DrawnScores &drawn) {
        const double width = 2 * core::kSpreadReach * drawn.expected / double(core::kSpreadBins);
        const double bin = std::floor((score + core::kSpreadReach * drawn.expected) / width);
        if (bin < 0 || bin >= double(core::kSpreadBins))
            return percentText(0);
        const auto all = static_cast<double>(content.spread->draws * core::kDrawnKeys);
        return percentText(static_cast<double>(drawn.bins[static_cast<std::size_t>(bin)]) / all);
    };
    return SoftmaxSpreadText::tr("near %1: %2 of the q·k, %3 of the q·k ÷ √d")
        .arg(numberText(score, places.reach < 10 ? 2 : 0), of(content.spread->plain),
             of(content.spread->scaled));
}

} // namespace headlight::ui
