#include "ui/figures/training/training_figure.h"

#include "ui/figures/base/card.h"
#include "ui/figures/base/spacing.h"
#include "ui/figures/text/text.h"
#include "ui/figures/text/wrapped_text.h"
#include "ui/text/number_text.h"
#include "ui/text/sentences.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

using FigureText = FigureStyle::Text;

constexpr double kMinPlotHeight = 142; // including title and axis
constexpr double kMinPlotWidth = 310;  // leaves space for the labels of the curves
constexpr double kReach = 8;           // px between the mouse and a curve

double distance(const QPolygonF &line, QPointF point) {
    double nearest = std::numeric_limits<double>::infinity();
    for (const QPointF &each : line)
        nearest = std::min(nearest, QLineF(each, point).length());
    return nearest;
}

} // namespace

TrainingFigure TrainingFigure::of(const core::TrainingRunPointer &run, const core::Model &model,
                                  const core::Selection &selection, const FigureStyle &style,
                                  const FigureOptions &options) {
    TrainingContent content = trainingContentOf(run, model, selection, options.measure);
    if (!options.title.isEmpty())
        content.title = options.title;
    if (const QString side = captionOf(options.compared); !side.isEmpty())
        content.title += QStringLiteral(" · ") + side;
    return {std::move(content), run, style};
}

TrainingFigure TrainingFigure::of(const core::TrainingRunPointer &run,
                                  const core::TracePointer &trace, const core::Selection &selection,
                                  const FigureStyle &style, const FigureOptions &options) {
    const Compared &compared = options.compared;
    const UnavailableReason why =
        unavailableReason(*trace, selection, compared, compared.shown, Sought::Curves);
    if (why.isEmpty()) {
        const ShownRun side = shownRun(trace, selection, compared);
        return of(compared.shown == ComparisonSide::A ? compared.training : run,
                  side.trace->model(), side.selection, style, options);
    }
    TrainingFigure figure = of(nullptr, trace->model(), selection, style, options);
    figure.m_content.nothing = why.sentences();
    return figure;
}

bool TrainingFigure::hasColumns(double width) const {
    return m_content.plots.size() > 1 &&
           width >= 3 * kFigureMargin + 2 * m_style.scaled(kMinPlotWidth);
}

int TrainingFigure::rowsFor(double width) const {
    const auto plots = static_cast<int>(m_content.plots.size());
    return hasColumns(width) ? (plots > 2 ? 2 : 1) : std::max(1, plots);
}

double TrainingFigure::headHeight() const {
    return kFigureMargin + lineHeight(m_style.font(FigureText::Title, true)) + 2 +
           lineHeight(m_style.font(FigureText::Label)) + 10;
}

double TrainingFigure::columnWidth(double width) const {
    const double inner = width - 2 * kFigureMargin;
    return hasColumns(width) ? (inner - kFigureMargin) / 2 : inner;
}

/// Returns the height of the outcome text if it is below the heads plot, whose column otherwise
/// spans two rows. Returns 0 if the text is too tall for the column and therefore below all plots.
double TrainingFigure::outcomeBeneathHeads(double width) const {
    if (m_content.outcome.isEmpty() || !hasColumns(width) || m_content.plots.size() < 3)
        return 0;
    const double height = std::ceil(
        wrappedHeight(m_content.outcome, m_style.font(FigureText::Label), columnWidth(width)));
    return height <= m_style.scaled(kMinPlotHeight) ? height : 0;
}

double TrainingFigure::footHeight(double width) const {
    if (m_content.outcome.isEmpty() || outcomeBeneathHeads(width) > 0)
        return 0;
    return kFigureMargin / 2 +
           std::ceil(wrappedHeight(m_content.outcome, m_style.font(FigureText::Label),
                                   width - 2 * kFigureMargin));
}

QSizeF TrainingFigure::naturalSize() const {
    const double width = std::max(960.0, m_style.scaled(860));
    return {width,
            std::ceil(headHeight() + rowsFor(width) * m_style.scaled(250) +
                      (rowsFor(width) - 1) * kFigureMargin + kFigureMargin + footHeight(width))};
}

QSizeF TrainingFigure::minimumSize() const {
    return {m_style.scaled(240), std::ceil(headHeight() + m_style.scaled(240))};
}

QSizeF TrainingFigure::readableSize(const QSizeF &sight) const {
    const double width = std::max(sight.width(), minimumSize().width());
    const int rows = rowsFor(width);
    const double height = headHeight() + rows * m_style.scaled(kMinPlotHeight) +
                          rows * kFigureMargin + footHeight(width);
    return {width, std::max({sight.height(), minimumSize().height(), std::ceil(height)})};
}

double TrainingFigure::heightFor(double width) const {
    const int rows = rowsFor(width);
    const double plot = std::clamp(0.4 * width / (rows > 2 ? 1 : 1.3), kMinPlotHeight, 260.0);
    return std::ceil(headHeight() + rows * (m_style.scaled(plot) + kFigureMargin) +
                     footHeight(width));
}

TrainingGeometry TrainingFigure::geometry(const QRectF &area) const {
    TrainingGeometry places;
    places.area = area;
    const QRectF inner =
        area.adjusted(kFigureMargin, kFigureMargin, -kFigureMargin, -kFigureMargin);
    places.title = QRectF(inner.left(), inner.top(), inner.width(),
                          lineHeight(m_style.font(FigureText::Title, true)));
    places.subtitle = QRectF(inner.left(), places.title.bottom() + 2, inner.width(),
                             lineHeight(m_style.font(FigureText::Label)));
    const double foot = footHeight(area.width());
    if (foot > 0)
        places.outcome = QRectF(inner.left(), inner.bottom() - foot + kFigureMargin / 2,
                                inner.width(), foot - kFigureMargin / 2);
    const QRectF available(QPointF(inner.left(), area.top() + headHeight()),
                           inner.bottomRight() - QPointF(0, foot));
    const std::size_t count = m_content.plots.size();
    if (count == 0)
        return places;
    const int rows = rowsFor(area.width());
    const double high = (available.height() - (rows - 1) * kFigureMargin) / rows;
    const bool columns = hasColumns(area.width());
    const double wide = columnWidth(area.width());
    const double beneath = outcomeBeneathHeads(area.width());
    if (beneath > 0)
        places.outcome =
            QRectF(available.right() - wide, available.bottom() - beneath, wide, beneath);
    for (std::size_t i = 0; i < count; ++i) {
        // Loss is above accuracy, and the heads are to the right of both.
        const bool isRight = columns && (count > 2 ? i == 2 : i == 1);
        const double row = columns ? (isRight || count == 2 ? 0.0 : double(i)) : double(i);
        const QRectF card(available.left() + (isRight ? wide + kFigureMargin : 0),
                          available.top() + row * (high + kFigureMargin), wide,
                          isRight && count > 2
                              ? available.height() - (beneath > 0 ? beneath + kFigureMargin / 2 : 0)
                              : high);
        places.plots.push_back(curvePlotGeometry(m_content, m_content.plots[i], m_style, card));
    }
    return places;
}

void TrainingFigure::paint(QPainter &painter, const QRectF &area, Device) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    paintBackground(painter, area, m_style.background, m_style);
    const TrainingGeometry places = geometry(area);
    drawLine(painter, places.title, Qt::AlignLeft, m_content.title,
             m_style.font(FigureText::Title, true), m_style.text);
    if (!m_content.nothing.isEmpty()) {
        drawWrapped(painter,
                    QRectF(places.subtitle.left(), places.subtitle.top() + 8,
                           std::min(places.subtitle.width(), m_style.scaled(640)),
                           area.bottom() - places.subtitle.top()),
                    Qt::AlignLeft, m_content.nothing, m_style.font(FigureText::Body),
                    m_style.mutedText);
        painter.restore();
        return;
    }
    const QFont label = m_style.font(FigureText::Label);
    drawLine(painter, places.subtitle, Qt::AlignLeft,
             firstParts(m_content.subtitle, label, places.subtitle.width()), label,
             m_style.mutedText);
    for (std::size_t i = 0; i < places.plots.size(); ++i)
        paintCurvePlot(painter, places.plots[i], m_content, m_content.plots[i], m_style);
    drawWrapped(painter, places.outcome, Qt::AlignLeft, m_content.outcome, label, m_style.text);
    painter.restore();
}

QString TrainingFigure::description() const {
    if (!m_content.nothing.isEmpty())
        return labelled(m_content.title, m_content.nothing);
    QStringList facts{m_content.subtitle};
    for (const TrainingContent::Plot &plot : m_content.plots) {
        QStringList curves;
        for (const TrainingContent::Curve &curve : plot.curves)
            if (curve.kind == TrainingContent::Curve::Kind::Head && !curve.name.isEmpty())
                curves << labelled(curve.name, numberText(curve.points.back().y(), 3));
            else if (!curve.name.isEmpty())
                curves << curve.name;
        constexpr qsizetype kMax = 12;
        facts << labelled(plot.title, enumerated(curves.mid(0, kMax)));
    }
    if (!m_content.outcome.isEmpty())
        facts << m_content.outcome;
    return labelled(m_content.title, facts.join(QStringLiteral("; ")));
}

std::optional<double> TrainingFigure::stepAt(const TrainingGeometry &places, QPointF point) const {
    for (const CurvePlotGeometry &plot : places.plots)
        if (plot.plot.adjusted(-kReach, 0, kReach, kReach).contains(point))
            return std::clamp(plot.stepAt(point.x()), 0.0, plot.lastStep);
    return std::nullopt;
}

const TrainingContent::Curve *TrainingFigure::headAt(const TrainingGeometry &places,
                                                     QPointF point) const {
    const TrainingContent::Curve *nearest = nullptr;
    double least = kReach;
    for (std::size_t i = 0; i < places.plots.size(); ++i) {
        if (m_content.plots[i].kind != TrainingContent::Plot::Kind::Heads)
            continue;
        for (const CurvePlotGeometry::Label &label : places.plots[i].labels)
            if (label.rect.contains(point) && !m_content.plots[i].curves[label.curve].isAblated)
                return &m_content.plots[i].curves[label.curve];
        for (const TrainingContent::Curve &curve : m_content.plots[i].curves) {
            if (curve.isAblated)
                continue; // the shown model does not have the ablated heads
            QPolygonF line;
            for (const QPointF &each : curve.points)
                line << places.plots[i].at(each);
            if (const double away = distance(line, point); away < least) {
                least = away;
                nearest = &curve;
            }
        }
    }
    return nearest;
}

QString TrainingFigure::words(const TrainingGeometry &places, QPointF point) const {
    if (!m_run)
        return {};
    if (const TrainingContent::Curve *head = headAt(places, point))
        return tr("%1; click to select it").arg(head->name);
    const std::optional<double> step = stepAt(places, point);
    return step ? wordsAtStep(*m_run, *step) : QString();
}

} // namespace headlight::ui
