#include "ui/figures/softmax/softmax_bars.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/text/text.h"
#include "ui/text/cell_numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

struct SoftmaxBarsText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::SoftmaxBars)
};

using BarsText = FigureStyle::Text;
using Bar = SoftmaxContent::Bar;

constexpr double kAxisGap = 6;
constexpr double kTitleGap = 9;          // px; half of an axis number extends into this gap
constexpr double kMinColumn = 9;         // px
constexpr double kMinBarPlotHeight = 56; // px, height of either plot
constexpr double kMaxRotatedLength = 64; // px for rotated names
constexpr double kBarShare = 0.7;        // relative to its column
constexpr double kWidestBar = 64;        // px

QFont labelOf(const FigureStyle &style) {
    return style.font(BarsText::Label);
}

/// Formats of the logits and the probabilities.
struct BarNumbers {
    CellNumbers logits, probabilities;

    explicit BarNumbers(const SoftmaxContent &content) {
        NumberRange range;
        for (const Bar &bar : content.bars)
            range.add(static_cast<double>(bar.logit));
        logits = CellNumbers::usual(range); // also formats −∞ of hidden keys
        probabilities = CellNumbers::usual({});
    }
    QString logit(const Bar &bar) const { return logits.text(static_cast<double>(bar.logit)); }
    QString probability(const Bar &bar) const {
        return probabilities.text(static_cast<double>(bar.probability));
    }
};

/// Returns the top of the probability axis. If there are only a few bars, it is always 1, so that
/// the axis does not move during a drag.
double highestOf(const SoftmaxContent &content) {
    constexpr std::size_t kFew = 10;
    if (content.bars.size() <= kFew)
        return 1;
    double highest = 0.05;
    for (const Bar &bar : content.bars)
        highest = std::max(highest, static_cast<double>(bar.probability));
    return highest > 0.5 ? 1 : std::min(1.0, 1.1 * highest);
}

double widestName(const SoftmaxContent &content, const QFont &font) {
    double widest = 0;
    for (const Bar &bar : content.bars)
        widest = std::max(widest, textWidth(bar.name, font));
    return std::ceil(widest);
}

double widestNumber(const SoftmaxContent &content, const QFont &font) {
    double widest = 0;
    const BarNumbers written(content);
    for (const Bar &bar : content.bars)
        for (const QString &text : {written.logit(bar), written.probability(bar)})
            widest = std::max(widest, textWidth(text, font));
    return std::ceil(widest);
}

double widestTick(const SoftmaxBarsGeometry &places, const QFont &font) {
    double widest = 0;
    for (const double tick : places.logitTicks)
        widest = std::max(widest, textWidth(tickText(tick, places.logitStep), font));
    for (const double tick : places.probabilityTicks)
        widest = std::max(widest, textWidth(tickText(tick, places.probabilityStep), font));
    return std::ceil(widest);
}

double heightOfNames(const SoftmaxContent &content, const FigureStyle &style, bool areTurned) {
    const double line = lineHeight(labelOf(style));
    return areTurned ? std::min(style.scaled(kMaxRotatedLength),
                                std::max(line, widestName(content, labelOf(style))))
                     : line;
}

void chooseTicks(SoftmaxBarsGeometry &places, double height, double line) {
    const double count = std::max(2.0, std::floor(height / (2 * line)));
    places.logitStep = roundStep((places.high - places.low) / count);
    places.logitTicks = ticksBetween(places.low, places.high, places.logitStep);
    places.probabilityStep = roundStep(places.mostProbable / std::max(1.0, count - 1));
    places.probabilityTicks = ticksBetween(0, places.mostProbable, places.probabilityStep);
}

void paintAxis(QPainter &painter, const QRectF &plot, const std::vector<double> &ticks, double step,
               const std::function<double(double)> &yOf, const FigureStyle &style) {
    const QFont label = labelOf(style);
    const double line = lineHeight(label);
    for (const double tick : ticks) {
        const double y = std::round(yOf(tick)) + 0.5;
        painter.setPen(QPen(tick == 0 ? style.mutedText : style.border, 1));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        const QString text = tickText(tick, step);
        const double width = std::ceil(textWidth(text, label));
        drawFitting(painter, QRectF(plot.left() - kAxisGap - width, y - line / 2, width, line),
                    text, label, style.mutedText);
    }
}

void paintHidden(QPainter &painter, const QRectF &column, const FigureStyle &style) {
    painter.fillRect(column, style.hidden);
    painter.setPen(QPen(style.hiddenLine, 1));
    painter.drawLine(column.bottomLeft(), column.topRight());
}

void paintName(QPainter &painter, const SoftmaxBarsGeometry &places, const QRectF &column,
               const Bar &bar, const FigureStyle &style, bool isChosen) {
    const QFont font = style.font(BarsText::Label, isChosen);
    const QColor colour = isChosen && !style.isPaper ? style.selection : style.text;
    const QRectF available(column.left(), places.names.top(), column.width(),
                           places.names.height());
    if (!places.areNamesTurned) {
        drawLine(painter, available, Qt::AlignHCenter, bar.name, font, colour);
        return;
    }
    painter.save();
    painter.translate(available.center().x(), available.bottom());
    painter.rotate(-90);
    const double line = lineHeight(font);
    drawLine(painter, QRectF(0, -line / 2, available.height(), line), Qt::AlignRight, bar.name,
             font, colour);
    painter.restore();
}

} // namespace

double SoftmaxBarsGeometry::yOf(double logit) const {
    return logits.bottom() - (logit - low) / (high - low) * logits.height();
}

double SoftmaxBarsGeometry::logitAt(double y) const {
    return low + (logits.bottom() - y) / logits.height() * (high - low);
}

std::optional<std::size_t> SoftmaxBarsGeometry::columnAt(QPointF point) const {
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (columns[i].all.contains(point))
            return i;
    return std::nullopt;
}

std::optional<std::size_t> SoftmaxBarsGeometry::logitColumnAt(QPointF point) const {
    return logits.top() <= point.y() && point.y() <= logits.bottom() ? columnAt(point)
                                                                     : std::nullopt;
}

QSizeF minSoftmaxBars(const SoftmaxContent &content, const FigureStyle &style) {
    const double line = lineHeight(labelOf(style));
    const auto count = static_cast<double>(content.bars.size());
    const double names = heightOfNames(content, style, count > 12);
    return {std::ceil(style.scaled(60) + count * style.scaled(kMinColumn)),
            std::ceil(2 * style.scaled(kMinBarPlotHeight) + 5 * line + names +
                      (content.others.isEmpty() ? 0 : 2 * line))};
}

SoftmaxBarsGeometry softmaxBarsGeometry(const SoftmaxContent &content, const FigureStyle &style,
                                        const QRectF &area) {
    SoftmaxBarsGeometry places;
    places.area = area;
    places.low = content.low;
    places.high = content.high;
    places.mostProbable = highestOf(content);
    const QFont label = labelOf(style), cell = style.font(BarsText::Cell);
    const double line = lineHeight(label);
    chooseTicks(places, (area.height() - 6 * line) / 2, line);
    const double axis = widestTick(places, label) + kAxisGap;
    const double left = area.left() + axis, width = area.width() - axis;
    const auto count = static_cast<double>(std::max<std::size_t>(1, content.bars.size()));
    const double column = width / count;
    places.areNamesTurned = widestName(content, style.font(BarsText::Label, true)) > column - 2 &&
                            column < style.scaled(44);
    const bool hasNumbers = widestNumber(content, cell) <= column - 2;
    const double names = heightOfNames(content, style, places.areNamesTurned);
    const double numbers = hasNumbers ? lineHeight(cell) + 2 : 0;
    // The lowest axis number extends below the plot.
    const double others = content.others.isEmpty() ? 0 : 1.5 * line + 2;
    const double gap = style.scaled(8);
    const double plots =
        area.height() - 2 * (line + kTitleGap) - 2 * numbers - names - 2 * gap - others;
    const double high = std::max(1.0, std::floor(plots * 0.54));
    double top = area.top();
    const auto take = [&](double height) {
        const QRectF rect(left, top, width, height);
        top += height;
        return rect;
    };
    places.logitsTitle = take(line);
    places.logitsTitle.setLeft(area.left());
    top += kTitleGap;
    places.logits = take(high);
    if (hasNumbers)
        places.logitNumbers = take(numbers);
    top += 2;
    places.names = take(names);
    top += 2 * gap - 2;
    places.probabilitiesTitle = take(line);
    places.probabilitiesTitle.setLeft(area.left());
    top += kTitleGap;
    places.probabilities = take(std::max(1.0, plots - high));
    if (hasNumbers)
        places.probabilityNumbers = take(numbers);
    if (others > 0)
        places.others = QRectF(area.left(), area.bottom() - line, area.width(), line);
    const double wide = std::min(kBarShare * column, style.scaled(kWidestBar));
    for (std::size_t i = 0; i < content.bars.size(); ++i) {
        const Bar &bar = content.bars[i];
        SoftmaxBarsGeometry::Column made;
        const double x = left + static_cast<double>(i) * column;
        made.all = QRectF(x, places.logits.top(), column,
                          places.probabilities.bottom() + numbers - places.logits.top());
        const double barLeft = x + (column - wide) / 2;
        const double zero = places.yOf(0);
        const double end = std::clamp(places.yOf(static_cast<double>(bar.logit)),
                                      places.logits.top(), places.logits.bottom());
        made.logit = bar.isHidden
                         ? QRectF(barLeft, places.logits.top(), wide, places.logits.height())
                         : QRectF(barLeft, std::min(zero, end), wide, std::abs(zero - end));
        const double tall = static_cast<double>(bar.probability) / places.mostProbable *
                            places.probabilities.height();
        made.probability = QRectF(barLeft, places.probabilities.bottom() - tall, wide, tall);
        places.columns.push_back(made);
    }
    return places;
}

void paintSoftmaxBars(QPainter &painter, const SoftmaxBarsGeometry &places,
                      const SoftmaxContent &content, const FigureStyle &style) {
    const QFont label = labelOf(style), cell = style.font(BarsText::Cell);
    const BarNumbers written(content);
    const QString logits = content.canChange && !style.isPaper
                               ? SoftmaxBarsText::tr("logits · drag a bar, or use the arrow keys")
                               : SoftmaxBarsText::tr("logits");
    drawLine(painter, places.logitsTitle, Qt::AlignLeft,
             firstParts(logits, label, places.logitsTitle.width()), label, style.mutedText);
    drawLine(painter, places.probabilitiesTitle, Qt::AlignLeft,
             SoftmaxBarsText::tr("probabilities"), label, style.mutedText);
    paintAxis(
        painter, places.logits, places.logitTicks, places.logitStep,
        [&](double tick) { return places.yOf(tick); }, style);
    paintAxis(
        painter, places.probabilities, places.probabilityTicks, places.probabilityStep,
        [&](double tick) {
            return places.probabilities.bottom() -
                   tick / places.mostProbable * places.probabilities.height();
        },
        style);
    const QColor logit = mixed(style.query, style.surface, 0.75);
    for (std::size_t i = 0; i < places.columns.size(); ++i) {
        const SoftmaxBarsGeometry::Column &column = places.columns[i];
        const Bar &bar = content.bars[i];
        const bool isChosen = content.chosen == i;
        if (isChosen && !style.isPaper) {
            const QRectF lit(column.all.left(), places.logits.top(), column.all.width(),
                             places.logits.height());
            painter.fillRect(lit, mixed(style.selection, style.surface, 0.12));
        }
        if (bar.isHidden)
            paintHidden(painter, column.logit, style);
        else
            painter.fillRect(column.logit, logit);
        painter.fillRect(column.probability, style.accent);
        if (bar.isSetByHand) { // same mark as in a heatmap cell
            const double side = std::min(style.scaled(7), column.logit.width());
            const QPointF corner(column.logit.left(), places.logits.top());
            painter.setPen(Qt::NoPen);
            painter.setBrush(style.text);
            painter.drawPolygon(
                QPolygonF{corner, corner + QPointF(side, 0), corner + QPointF(0, side)});
        }
        if (isChosen && !style.isPaper && !bar.isHidden) {
            painter.setPen(QPen(style.selection, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(column.logit);
        }
        const auto number = [&](const QRectF &line, const QString &text) {
            if (!line.isNull())
                drawLine(painter,
                         QRectF(column.all.left(), line.top(), column.all.width(), line.height()),
                         Qt::AlignHCenter, text, cell, style.text);
        };
        number(places.logitNumbers, written.logit(bar));
        number(places.probabilityNumbers, written.probability(bar));
        paintName(painter, places, column.all, bar, style, isChosen);
    }
    if (!places.others.isNull())
        drawLine(painter, places.others, Qt::AlignLeft, content.others, label, style.mutedText);
}

} // namespace headlight::ui
