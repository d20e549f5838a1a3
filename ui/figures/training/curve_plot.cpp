#include "ui/figures/training/curve_plot.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace headlight::ui {

namespace {

struct CurvePlotText {
    Q_DECLARE_TR_FUNCTIONS(headlight::ui::CurvePlot)
};

using PlotText = FigureStyle::Text;
using Curve = TrainingContent::Curve;

constexpr double kAxisGap = 6;         // px between numbers and axis
constexpr double kLabelGap = 8;        // px between a curve's end and its label
constexpr double kMaxLabelShare = 0.5; // relative to the width

QFont labelFont(const FigureStyle &style) {
    return style.font(PlotText::Label);
}

/// Returns 1, 2 and 5 times powers of ten. Uses fewer factors if these are too many ticks.
std::vector<double> logTicks(double low, double high, std::size_t most) {
    for (const std::vector<double> &factors : {std::vector<double>{1, 2, 5}, {1, 3}, {1}}) {
        std::vector<double> ticks;
        for (double power = std::pow(10, std::floor(std::log10(low))); power <= high; power *= 10)
            for (const double factor : factors)
                if (factor * power >= low && factor * power <= high)
                    ticks.push_back(factor * power);
        if (ticks.size() <= most || factors.size() == 1)
            return ticks;
    }
    return {};
}

QString valueText(const CurvePlotGeometry &places, double value) {
    return tickText(value, places.isLog ? std::pow(10, std::floor(std::log10(value) + 1e-9))
                                        : places.valueWidth);
}

double widestValue(const CurvePlotGeometry &places, const QFont &font) {
    double widest = 0;
    for (const double value : places.values)
        widest = std::max(widest, textWidth(valueText(places, value), font));
    return std::ceil(widest);
}

void chooseTicks(CurvePlotGeometry &places, double height, double line) {
    const double rows = std::max(2.0, std::floor(height / (2.2 * line)));
    if (places.isLog) {
        places.values =
            logTicks(places.low, places.high, static_cast<std::size_t>(std::max(2.0, rows)));
        return;
    }
    places.valueWidth = roundStep((places.high - places.low) / rows);
    places.values = ticksBetween(places.low, places.high, places.valueWidth);
}

/// Places each label at the end of its curve. Moves overlapping labels apart.
void spread(std::vector<CurvePlotGeometry::Label> &labels, double top, double bottom, double line) {
    std::ranges::sort(labels, {}, &CurvePlotGeometry::Label::end);
    double free = top;
    for (auto &label : labels) {
        label.rect.moveTop(std::max(free, label.end - line / 2));
        free = label.rect.top() + line;
    }
    double limit = bottom;
    for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
        label->rect.moveTop(std::min(label->rect.top(), limit - line));
        limit = label->rect.top();
    }
}

/// Returns the curves to label. If not all labels fit, these are the selected curve and those with
/// the highest ends.
std::vector<std::size_t> labelled(const TrainingContent::Plot &plot, std::size_t available) {
    std::vector<std::size_t> named;
    for (std::size_t i = 0; i < plot.curves.size(); ++i)
        if (!plot.curves[i].name.isEmpty())
            named.push_back(i);
    if (named.size() <= available)
        return named;
    std::ranges::stable_sort(named, [&](std::size_t a, std::size_t b) {
        const Curve &one = plot.curves[a], &other = plot.curves[b];
        return one.isSelected != other.isSelected ? one.isSelected
                                                  : one.points.back().y() > other.points.back().y();
    });
    named.resize(available > 0 ? available - 1 : 0); // one line is reserved for "… more"
    return named;
}

void placeLabels(CurvePlotGeometry &places, const TrainingContent::Plot &plot, double width,
                 double line) {
    const auto available = static_cast<std::size_t>(std::max(0.0, places.plot.height() / line));
    const std::vector<std::size_t> named = labelled(plot, available);
    for (const std::size_t curve : named) {
        const double end = places.at(plot.curves[curve].points.back()).y();
        places.labels.push_back(
            {QRectF(places.plot.right() + kLabelGap, end - line / 2, width, line), curve, end});
    }
    const auto all = std::ranges::count_if(
        plot.curves, [](const Curve &curve) { return !curve.name.isEmpty(); });
    places.unlabelled = static_cast<int>(all - std::ssize(named));
    const double bottom = places.plot.bottom() - (places.unlabelled > 0 ? line : 0);
    spread(places.labels, places.plot.top(), bottom, line);
    if (places.unlabelled > 0)
        places.more = QRectF(places.plot.right() + kLabelGap, bottom, width, line);
}

/// Counts the curve points that a label would cover.
std::size_t pointsIn(const QRectF &label, const CurvePlotGeometry &places,
                     const TrainingContent::Plot &plot) {
    std::size_t count = 0;
    for (const Curve &curve : plot.curves)
        for (const QPointF &point : curve.points)
            count += label.contains(places.at(point)) ? 1 : 0;
    return count;
}

/// Returns the rectangle of a level's label: above or below the line, at the end where it covers
/// the fewest points.
QRectF levelLabel(double y, double width, double line, const CurvePlotGeometry &places,
                  const TrainingContent::Plot &plot) {
    std::optional<QRectF> best;
    std::size_t least = 0;
    for (const double left : {places.plot.right() - width, places.plot.left() + 4})
        for (const double top : {y - line, y + 1}) {
            const QRectF label(left, top, width, line);
            if (top < places.plot.top() - 1 || label.bottom() > places.plot.bottom() + 1)
                continue;
            const std::size_t count = pointsIn(label, places, plot);
            if (!best || count < least) {
                best = label;
                least = count;
            }
        }
    return best.value_or(QRectF());
}

void placeLevels(CurvePlotGeometry &places, const TrainingContent::Plot &plot,
                 const FigureStyle &style, double line) {
    std::vector<QRectF> taken;
    for (const TrainingContent::Level &level : plot.levels) {
        const double y = places.at({0, level.value}).y();
        const double width = std::ceil(textWidth(level.name, labelFont(style))) + 4;
        const QRectF label = levelLabel(y, width, line, places, plot);
        const bool fits = !label.isNull() && width < 0.6 * places.plot.width() &&
                          std::ranges::none_of(
                              taken, [&](const QRectF &other) { return other.intersects(label); });
        places.levels.push_back({fits ? label : QRectF(), y});
        if (fits)
            taken.push_back(label);
    }
}

QPen penOf(const Curve &curve, const QColor &colour, const FigureStyle &style) {
    switch (curve.kind) {
    case Curve::Kind::Batch:
        return {faint(colour, style.surface, 0.35), 1};
    case Curve::Kind::Smoothed:
        return {colour, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
    case Curve::Kind::HeldOut:
        if (curve.isAblated)
            return {colour, 2, Qt::DashLine, Qt::FlatCap, Qt::RoundJoin};
        return {colour, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin};
    case Curve::Kind::Head:
        break;
    }
    constexpr Qt::PenStyle kStyles[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return {colour, curve.isSelected ? 3.0 : 1.6,
            kStyles[static_cast<std::size_t>(curve.head) % std::size(kStyles)], Qt::FlatCap,
            Qt::RoundJoin};
}

/// Reduces the points in each pixel column to the first, lowest, highest and last. The line looks
/// the same, but the painting time does not grow with the number of points.
QPolygonF drawnLine(const CurvePlotGeometry &places, const Curve &curve) {
    constexpr double kColumn = 0.5; // px
    QPolygonF line;
    std::size_t i = 0;
    while (i < curve.points.size()) {
        const QPointF first = places.at(curve.points[i]);
        QPointF low = first, high = first, last = first;
        for (++i; i < curve.points.size(); ++i) {
            const QPointF next = places.at(curve.points[i]);
            if (next.x() - first.x() >= kColumn)
                break;
            low = next.y() < low.y() ? next : low;
            high = next.y() > high.y() ? next : high;
            last = next;
        }
        line << first;
        for (const QPointF &each :
             low.x() < high.x() ? std::array{low, high, last} : std::array{high, low, last})
            if (each != line.back())
                line << each;
    }
    return line;
}

void paintCurve(QPainter &painter, const CurvePlotGeometry &places, const Curve &curve,
                const QColor &colour, const FigureStyle &style) {
    const QPolygonF line = drawnLine(places, curve);
    painter.setPen(penOf(curve, colour, style));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    const bool isAlone = line.size() == 1;
    if (!isAlone && (curve.kind != Curve::Kind::HeldOut || curve.isAblated))
        return; // dots would fill the gaps in the dashes of an ablated run
    const double radius = style.scaled(2.5);
    const double apart = places.plot.width() / static_cast<double>(line.size());
    if (apart < 2.5 * radius && !isAlone)
        return; // dots would hide the line
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    for (const QPointF &point : line)
        painter.drawEllipse(point, radius, radius);
}

void paintAxes(QPainter &painter, const CurvePlotGeometry &places, const FigureStyle &style) {
    const QFont font = labelFont(style);
    const double line = lineHeight(font);
    const QColor grid = mixed(style.border, style.surface, 0.7);
    for (const double value : places.values) {
        const double y = places.at({0, value}).y();
        painter.setPen(QPen(grid, 1));
        painter.drawLine(QPointF(places.plot.left(), y), QPointF(places.plot.right(), y));
        drawLine(painter,
                 QRectF(places.card.left(), y - line / 2,
                        places.plot.left() - kAxisGap - places.card.left(), line),
                 Qt::AlignRight, valueText(places, value), font, style.mutedText);
    }
    painter.setPen(QPen(style.mutedText, 1));
    painter.drawLine(places.plot.bottomLeft(), places.plot.bottomRight());
    double end = places.plot.right() + kLabelGap; // right end of the axis labels
    for (const double step : places.steps) {
        const QPointF foot = places.at({step, places.low});
        painter.setPen(QPen(style.mutedText, 1));
        painter.drawLine(foot, foot + QPointF(0, 4));
        const QString text = tickText(step, places.stepWidth);
        const double width = std::ceil(textWidth(text, font)) + 2;
        drawLine(painter, QRectF(foot.x() - width / 2, foot.y() + kAxisGap, width, line),
                 Qt::AlignHCenter, text, font, style.mutedText);
        end = std::max(end, foot.x() + width / 2 + kLabelGap);
    }
    drawLine(painter, QRectF(end, places.plot.bottom() + kAxisGap, places.card.right() - end, line),
             Qt::AlignLeft, CurvePlotText::tr("step"), font, style.mutedText);
}

void paintLevels(QPainter &painter, const CurvePlotGeometry &places,
                 const TrainingContent::Plot &plot, const FigureStyle &style) {
    for (std::size_t i = 0; i < places.levels.size(); ++i) {
        const auto &[label, y] = places.levels[i];
        painter.setPen(QPen(style.mutedText, 1, Qt::DashLine));
        painter.drawLine(QPointF(places.plot.left(), y), QPointF(places.plot.right(), y));
        if (!label.isNull())
            drawLine(painter, label, Qt::AlignLeft, plot.levels[i].name, labelFont(style),
                     style.mutedText);
    }
}

} // namespace

QPointF CurvePlotGeometry::at(const QPointF &stepAndValue) const {
    const double across = stepAndValue.x() / lastStep;
    const double up = isLog ? (std::log(std::max(stepAndValue.y(), low)) - std::log(low)) /
                                  (std::log(high) - std::log(low))
                            : (stepAndValue.y() - low) / (high - low);
    return {plot.left() + across * plot.width(), plot.bottom() - up * plot.height()};
}

double CurvePlotGeometry::stepAt(double x) const {
    return lastStep * (x - plot.left()) / std::max(1.0, plot.width());
}

QColor colourOf(const Curve &curve, const TrainingContent &content, const FigureStyle &style) {
    // Ablated heads do not use style.value, because the map may give this green to other heads.
    if (curve.isAblated)
        return curve.kind == Curve::Kind::Head ? style.mutedText : style.value;
    switch (curve.kind) {
    case Curve::Kind::Batch:
    case Curve::Kind::Smoothed:
        return style.accent;
    case Curve::Kind::HeldOut:
        return style.text;
    case Curve::Kind::Head:
        break;
    }
    // Maps the attention modules, from first to last, to the part of the colour map that is visible
    // on the surface.
    const double from = style.isDark ? 0.45 : 0.12, to = style.isDark ? 0.95 : 0.62;
    const double share =
        content.attentions > 1 ? double(curve.order) / (content.attentions - 1) : 0;
    return QColor::fromRgb(colourOf(ColourMap::Viridis, from + share * (to - from)));
}

CurvePlotGeometry curvePlotGeometry(const TrainingContent &content,
                                    const TrainingContent::Plot &plot, const FigureStyle &style,
                                    const QRectF &card) {
    CurvePlotGeometry places;
    places.card = card;
    places.lastStep = content.lastStep;
    places.low = plot.low;
    places.high = plot.high;
    places.isLog = plot.isLog;
    const QFont font = labelFont(style);
    const double line = lineHeight(font);
    const QRectF inner = card.adjusted(kCardPadding, kCardPadding, -kCardPadding, -kCardPadding);
    const double head = lineHeight(style.font(PlotText::Body, true));
    places.title = QRectF(inner.left(), inner.top(), inner.width(), head);
    const double top = places.title.bottom() + line / 2 + 2;
    const double bottom = std::max(top + 8, inner.bottom() - line - kAxisGap);
    chooseTicks(places, bottom - top, line);
    const double left = inner.left() + widestValue(places, font) + kAxisGap;
    const double lastTick = textWidth(tickText(places.lastStep, places.lastStep), font);
    double widest = textWidth(CurvePlotText::tr("step"), font) + lastTick / 2; // for the axis name
    for (const Curve &curve : plot.curves) {
        QFont own = font;
        own.setBold(curve.isSelected);
        widest = std::max(widest, textWidth(curve.name, own));
    }
    const double labels = std::min(std::ceil(widest) + 2, kMaxLabelShare * inner.width());
    const double right = std::max(left + 8, inner.right() - labels - kLabelGap);
    places.plot = QRectF(QPointF(left, top), QPointF(right, bottom));
    const double columns = std::max(1.0, std::floor(places.plot.width() / style.scaled(76)));
    places.stepWidth = std::max(1.0, roundStep(places.lastStep / columns));
    places.steps = ticksBetween(0, places.lastStep, places.stepWidth);
    placeLabels(places, plot, labels, line);
    placeLevels(places, plot, style, line);
    places.now = places.at({static_cast<double>(content.step), places.low}).x();
    return places;
}

void paintCurvePlot(QPainter &painter, const CurvePlotGeometry &places,
                    const TrainingContent &content, const TrainingContent::Plot &plot,
                    const FigureStyle &style) {
    paintCard(painter, places.card.adjusted(0.5, 0.5, -0.5, -0.5), QPen(style.border, 1), 8, style);
    const QFont body = style.font(PlotText::Body);
    const QString gap = QStringLiteral("   ");
    const double left = places.title.width() -
                        textWidth(plot.title, style.font(PlotText::Body, true)) -
                        textWidth(gap, body);
    drawSpans(painter, places.title,
              {{plot.title, style.text, true},
               {gap + firstParts(plot.unit, body, left), style.mutedText}},
              body);
    paintAxes(painter, places, style);
    paintLevels(painter, places, plot, style);
    for (const Curve &curve : plot.curves)
        if (!curve.points.empty())
            paintCurve(painter, places, curve,
                       faint(colourOf(curve, content, style), style.surface, 1), style);
    painter.setPen(QPen(style.isPaper ? style.mutedText : style.selection, 1));
    painter.drawLine(QPointF(places.now, places.plot.top()),
                     QPointF(places.now, places.plot.bottom()));
    const QFont font = labelFont(style);
    for (const CurvePlotGeometry::Label &label : places.labels) {
        const Curve &curve = plot.curves[label.curve];
        QFont own = font;
        own.setBold(curve.isSelected);
        drawLine(painter, label.rect, Qt::AlignLeft, curve.name, own,
                 mixed(colourOf(curve, content, style), style.text, 0.7));
    }
    if (!places.more.isNull())
        drawLine(painter, places.more, Qt::AlignLeft,
                 CurvePlotText::tr("and %n more", nullptr, static_cast<int>(places.unlabelled)),
                 font, style.mutedText);
}

} // namespace headlight::ui
