#include "ui/figures/output/output_bars.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/text/text.h"
#include "ui/text/number_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using BarText = FigureStyle::Text;

struct OutputBarsText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::OutputBars)
};

constexpr double kBarsGap = 12;       // px between columns
constexpr double kMinPlot = 90;       // px, longest bar; columns are dropped to make space
constexpr double kNameShare = 0.34;   // largest share of the width for the names
constexpr double kMinScaleEnd = 0.05; // keeps tiny probabilities from filling the axis

double rowHeight(const OutputContent &content, const FigureStyle &style) {
    const double line = lineHeight(style.font(BarText::Body));
    return std::ceil(line + style.scaled(content.otherName.isEmpty() ? 6 : 10));
}

double axisHeight(const FigureStyle &style) {
    return std::ceil(lineHeight(style.font(BarText::Label)) + style.scaled(8));
}

double restHeight(const FigureStyle &style) {
    return std::ceil(lineHeight(style.font(BarText::Label)) + style.scaled(8));
}

/// Widths of the name and the number columns. Each is as wide as its widest text or heading.
struct Columns {
    double rank = 0, name = 0, probability = 0, change = 0, logit = 0;
};

QString changeOf(const OutputContent::Bar &bar) {
    return bar.before ? pointsText(double(bar.probability) - double(*bar.before)) : QString();
}

QString logitOf(const OutputContent::Bar &bar) {
    return numberText(bar.logit, 2);
}

QString rankOf(const OutputContent::Bar &bar) {
    return QString::number(bar.rank);
}

QString probabilityHeading() {
    return OutputBarsText::tr("probability");
}
QString changeHeading() {
    return OutputBarsText::tr("change, points");
}
QString logitHeading() {
    return OutputBarsText::tr("logit");
}

Columns columnsOf(const OutputContent &content, const FigureStyle &style) {
    const QFont body = style.font(BarText::Body), label = style.font(BarText::Label);
    Columns columns;
    const auto widen = [](double &column, const QString &text, const QFont &font) {
        column = std::max(column, std::ceil(textWidth(text, font)));
    };
    widen(columns.probability, probabilityHeading(), label);
    widen(columns.logit, logitHeading(), label);
    if (content.showsChanges)
        widen(columns.change, changeHeading(), label);
    const auto fit = [&](const OutputContent::Bar &bar) {
        widen(columns.rank, rankOf(bar), label);
        widen(columns.name, bar.name + bar.rest, body);
        widen(columns.probability, percentText(bar.probability), body);
        widen(columns.logit, logitOf(bar), body);
        if (bar.before && content.showsChanges)
            widen(columns.change, changeOf(bar), body);
    };
    std::ranges::for_each(content.bars, fit);
    if (content.stands)
        fit(*content.stands);
    return columns;
}

/// Returns the end of the axis: the largest probability, but at least kMinScaleEnd.
double highestOf(const OutputContent &content) {
    double highest = kMinScaleEnd;
    const auto take = [&](const OutputContent::Bar &bar) {
        highest = std::max(highest, double(bar.probability));
        if (bar.before)
            highest = std::max(highest, double(*bar.before));
    };
    std::ranges::for_each(content.bars, take);
    if (content.stands)
        take(*content.stands);
    return std::min(1.0, highest);
}

/// Drops columns until the bars have enough space. The logits are dropped first.
void dropWithoutRoom(Columns &columns, double width, double gap, double minPlot) {
    const auto taken = [&] {
        const double all[] = {columns.rank, columns.name, columns.probability, columns.change,
                              columns.logit};
        double sum = 0;
        for (const double each : all)
            sum += each > 0 ? each + gap : 0;
        return sum;
    };
    for (double *column : {&columns.logit, &columns.change, &columns.rank})
        if (width - taken() < minPlot)
            *column = 0;
}

OutputBarsGeometry::Row rowOf(const OutputBarsGeometry &places, const OutputContent::Bar &bar,
                              const Columns &columns, const FigureStyle &style, double top,
                              double height) {
    OutputBarsGeometry::Row row;
    const double gap = style.scaled(kBarsGap);
    const QRectF &area = places.area;
    row.rect = QRectF(area.left(), top, area.width(), height);
    double left = area.left();
    if (columns.rank > 0) {
        row.rank = QRectF(left, top, columns.rank, height);
        left += columns.rank + gap;
    }
    row.name = QRectF(left, top, columns.name, height);
    double right = area.right();
    const auto atRight = [&](double width) {
        if (width <= 0)
            return QRectF();
        const QRectF rect(right - width, top, width, height);
        right -= width + gap;
        return rect;
    };
    row.logit = atRight(columns.logit);
    row.change = atRight(columns.change);
    row.probability = atRight(columns.probability);
    const bool hasOther = bar.before.has_value();
    const double thick = std::round(hasOther ? 0.42 * height : 0.6 * height);
    const double thin = hasOther ? std::round(0.2 * height) : 0;
    const double above = std::round((height - thick - thin - (hasOther ? 1 : 0)) / 2);
    const double scale = places.plot.width() / places.highest;
    row.bar = QRectF(places.plot.left(), top + above, scale * double(bar.probability), thick);
    if (hasOther)
        row.otherBar =
            QRectF(places.plot.left(), row.bar.bottom() + 1, scale * double(*bar.before), thin);
    return row;
}

void paintRow(QPainter &painter, const OutputBarsGeometry::Row &row, const OutputContent::Bar &bar,
              const FigureStyle &style, bool isSelected) {
    const QFont body = style.font(BarText::Body), bold = style.font(BarText::Body, true);
    if (isSelected && !style.isPaper) {
        painter.setPen(QPen(style.selection, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(row.rect.adjusted(-4, 1, 4, -1), 3, 3);
    }
    if (!row.rank.isNull())
        drawLine(painter, row.rank, Qt::AlignRight, rankOf(bar), style.font(BarText::Label),
                 style.mutedText);
    drawPredictedWord(painter, row.name, bar.name, bar.rest, bar.isInText ? bold : body,
                      bar.isInText ? style.accent : style.text, style.mutedText);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bar.isInText ? style.accent : faint(style.accent, style.surface, 0.62));
    painter.drawRect(row.bar);
    if (bar.before) {
        painter.setBrush(mixed(style.mutedText, style.surface, 0.55));
        painter.drawRect(row.otherBar);
    }
    drawLine(painter, row.probability, Qt::AlignRight, percentText(bar.probability), body,
             style.text);
    if (!row.change.isNull() && bar.before)
        drawLine(painter, row.change, Qt::AlignRight, changeOf(bar), body, style.text);
    if (!row.logit.isNull())
        drawLine(painter, row.logit, Qt::AlignRight, logitOf(bar), body, style.mutedText);
}

/// Returns "the other 50241: 12.1 % together".
QString restText(const OutputContent &content, const OutputBarsGeometry &places) {
    double shown = places.stands ? double(content.stands->probability) : 0;
    for (std::size_t i = 0; i < places.rows.size(); ++i)
        shown += double(content.bars[i].probability);
    const core::Index others = content.words - std::ssize(places.rows) - (places.stands ? 1 : 0);
    const double rest = 1 - shown; // NaN if a probability is NaN
    return OutputBarsText::tr("the other %1: %2 together")
        .arg(QString::number(others), percentText(rest < 0 ? 0 : rest));
}

} // namespace

std::optional<std::size_t> OutputBarsGeometry::rowAt(QPointF point) const {
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].rect.contains(point))
            return i;
    if (stands && stands->rect.contains(point))
        return rows.size();
    return std::nullopt;
}

double outputBarsHeight(const OutputContent &content, const FigureStyle &style, std::size_t bars) {
    return axisHeight(style) + static_cast<double>(bars) * rowHeight(content, style) +
           restHeight(style);
}

OutputBarsGeometry outputBarsGeometry(const OutputContent &content, const FigureStyle &style,
                                      const QRectF &area) {
    OutputBarsGeometry places;
    places.area = area;
    if (content.bars.empty())
        return places;
    const double gap = style.scaled(kBarsGap);
    Columns columns = columnsOf(content, style);
    columns.name = std::min(columns.name, std::floor(kNameShare * area.width()));
    dropWithoutRoom(columns, area.width(), gap, style.scaled(kMinPlot));
    const double height = rowHeight(content, style);
    const double left =
        area.left() + (columns.rank > 0 ? columns.rank + gap : 0) + columns.name + gap;
    double right = area.right();
    for (const double column : {columns.probability, columns.change, columns.logit})
        right -= column > 0 ? column + gap : 0;
    places.plot = QRectF(left, area.top() + axisHeight(style), std::max(1.0, right - left), 0);
    places.highest = highestOf(content);
    const double least = style.scaled(56) / places.plot.width() * places.highest;
    places.tickStep = roundStep(std::max(least, 1e-4));
    places.ticks = ticksBetween(0, places.highest, places.tickStep);
    // Reserve space for the rows, the actual token, and the line about the other words.
    const double available = area.height() - axisHeight(style) - restHeight(style);
    auto count = static_cast<std::size_t>(std::max(1.0, std::floor(available / height)));
    count = std::min(count, content.bars.size());
    const auto isShown = [&](std::size_t shown) {
        return std::any_of(content.bars.begin(),
                           content.bars.begin() + static_cast<std::ptrdiff_t>(shown),
                           [](const OutputContent::Bar &bar) { return bar.isInText; });
    };
    const bool needsOwnRow = content.stands && !isShown(count) && count > 1;
    if (needsOwnRow && (static_cast<double>(count) + 1) * height > available)
        --count;
    double top = places.plot.top();
    for (std::size_t i = 0; i < count; ++i, top += height)
        places.rows.push_back(rowOf(places, content.bars[i], columns, style, top, height));
    if (content.stands && !isShown(count) && count > 0) {
        places.stands = rowOf(places, *content.stands, columns, style, top, height);
        top += height;
    }
    places.plot.setBottom(top);
    if (content.words > std::ssize(places.rows) + (places.stands ? 1 : 0))
        places.rest = QRectF(area.left(), top + style.scaled(4), area.width(),
                             lineHeight(style.font(BarText::Label)));
    return places;
}

void drawPredictedWord(QPainter &painter, const QRectF &place, const QString &name,
                       const QString &rest, const QFont &font, const QColor &colour,
                       const QColor &muted) {
    const double width = rest.isEmpty() ? 0 : std::ceil(textWidth(rest, font));
    const bool fits = textWidth(name, font) + width <= place.width() + 1;
    if (width > 0 && fits)
        drawLine(painter, place, Qt::AlignRight, rest, font, muted);
    drawLine(painter, fits ? place.adjusted(0, 0, -width, 0) : place, Qt::AlignRight,
             fits ? name : name + rest, font, colour, Qt::ElideMiddle);
}

void paintOutputBars(QPainter &painter, const OutputBarsGeometry &places,
                     const OutputContent &content, const FigureStyle &style,
                     std::optional<core::Index> selected) {
    if (places.rows.empty())
        return;
    const QFont label = style.font(BarText::Label);
    const double line = lineHeight(label);
    const double top = places.plot.top() - style.scaled(4) - line;
    const OutputBarsGeometry::Row &first = places.rows.front();
    const auto heading = [&](const QRectF &column, const QString &text) {
        if (!column.isNull())
            drawLine(painter, QRectF(column.left(), top, column.width(), line), Qt::AlignRight,
                     text, label, style.mutedText);
    };
    heading(first.probability, probabilityHeading());
    heading(first.change, changeHeading());
    heading(first.logit, logitHeading());
    for (const double tick : places.ticks) {
        const double x = places.plot.left() + tick / places.highest * places.plot.width();
        painter.setPen(QPen(style.border, 1));
        painter.drawLine(QPointF(x, places.plot.top() - style.scaled(3)),
                         QPointF(x, places.plot.bottom()));
        const QString text =
            OutputBarsText::tr("%1 %").arg(tickText(100 * tick, 100 * places.tickStep));
        const double wide = std::ceil(textWidth(text, label)) + 2;
        // Keep the last tick label clear of the heading beside it.
        const double left = std::min(x - wide / 2, places.plot.right() + 2 - wide);
        drawLine(painter, QRectF(left, top, wide, line), Qt::AlignHCenter, text, label,
                 style.mutedText);
    }
    for (std::size_t i = 0; i < places.rows.size(); ++i)
        paintRow(painter, places.rows[i], content.bars[i], style, content.bars[i].word == selected);
    if (places.stands) {
        painter.setPen(QPen(style.border, 1, Qt::DashLine));
        painter.drawLine(places.stands->rect.topLeft(), places.stands->rect.topRight());
        paintRow(painter, *places.stands, *content.stands, style, content.stands->word == selected);
    }
    if (!places.rest.isNull())
        drawLine(painter, places.rest, Qt::AlignLeft, restText(content, places), label,
                 style.mutedText);
}

} // namespace headlight::ui
