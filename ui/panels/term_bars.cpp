#include "ui/panels/term_bars.h"

#include "ui/figures/base/axis_ticks.h"
#include "ui/figures/text/wrapped_text.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kNarrowest = 4;     // px of a bar and its gap
constexpr double kWidest = 28;       // px; wider bars look clumsy
constexpr double kRowHeight = 72;    // px, with a single row of bars
constexpr double kLowRowHeight = 48; // px, with several rows
constexpr double kMargin = 3;
constexpr double kTickLength = 3;
constexpr double kTickAir = 1.2; // lines of text between two numbers of the axis

/// Returns a colour away from the map's pale middle, for enough contrast in every theme.
QColor barColour(const FigureStyle &style, bool positive) {
    const double reach = style.isDark ? 0.28 : 0.4;
    return QColor(colourOf(style.signedMap, positive ? 0.5 + reach : 0.5 - reach));
}

} // namespace

TermBarsGeometry TermBarsGeometry::of(int count, double width, double scale, double lowest,
                                      double highest, const TermBarsAxes &axes) {
    TermBarsGeometry geometry;
    geometry.count = count;
    geometry.axes = axes;
    geometry.width = std::max(width, kNarrowest);
    const double available = std::max(geometry.width - axes.left, kNarrowest);
    const int most = std::max(1, static_cast<int>(available / kNarrowest));
    const int rows = std::max(1, (count + most - 1) / most);
    const double bars =
        std::round((rows == 1 ? kRowHeight : kLowRowHeight) * std::clamp(scale, 1.0, 1.5));
    geometry.rowHeight = bars + axes.line;
    // Make the rows equally long, so that the last row is not much shorter.
    geometry.perRow = std::max(1, (count + rows - 1) / rows);
    // Leaves space for half an axis number at either end.
    const double margin = std::max(kMargin, axes.line / 2);
    const double usable = bars - 2 * margin;
    if (axes.line > 0 && highest > lowest) {
        const double span = highest - lowest;
        geometry.tickStep = roundStep(std::max(span * kTickAir * axes.line / usable, span / 5));
        // Extend the axis to the next tick, because a single number does not show a scale.
        if (std::max(-lowest, highest) < geometry.tickStep * (1 - 1e-9))
            (highest >= -lowest ? highest : lowest) =
                highest >= -lowest ? geometry.tickStep : -geometry.tickStep;
        geometry.ticks = ticksBetween(lowest, highest, geometry.tickStep);
    }
    const double span = highest - lowest;
    geometry.pixels = span > 0 ? usable / span : 0;
    geometry.axis = (margin + (span > 0 ? highest / span : 0.5) * usable) / geometry.rowHeight;
    geometry.barWidth = std::min(kWidest * scale, available / geometry.perRow);
    return geometry;
}

QRectF TermBarsGeometry::place(int index) const {
    return {axes.left + index % perRow * barWidth, rowTop(index / perRow), barWidth, rowHeight};
}

QRectF TermBarsGeometry::bar(int index, double value) const {
    const QRectF whole = place(index);
    const double zero = std::round(heightOf(0, index / perRow));
    const double length = value * pixels;
    const double gap = barWidth >= 6 ? 2 : 1;
    return {whole.left(), zero - std::max(length, 0.0), barWidth - gap, std::abs(length)};
}

std::optional<int> TermBarsGeometry::at(QPointF point) const {
    const int column = static_cast<int>(std::floor((point.x() - axes.left) / barWidth));
    const int row = static_cast<int>(std::floor((point.y() - axes.above) / rowHeight));
    const int index = row * perRow + column;
    if (column < 0 || column >= perRow || row < 0 || index >= count)
        return std::nullopt;
    return index;
}

int TermBarsGeometry::labelStep(double labelWidth) const {
    const double needed = (labelWidth + 4) / barWidth;
    return needed <= 1 ? 1 : static_cast<int>(std::lround(roundStep(needed)));
}

TermBars::TermBars(QWidget *parent) : QWidget(parent), m_style(FigureStyle::light()) {
    setMouseTracking(true);
    setFocusPolicy(Qt::TabFocus);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TermBars::setSeries(const TermSeries &series) {
    m_series = series;
    m_lowest = m_highest = 0;
    for (std::size_t i = 0; i < series.terms.size(); ++i)
        if (const double value = series.value(i); std::isfinite(value)) {
            m_lowest = std::min(m_lowest, value);
            m_highest = std::max(m_highest, value);
        }
    if (m_pointed && *m_pointed >= static_cast<int>(series.terms.size()))
        m_pointed.reset();
    setAccessibleDescription(series.summary());
    updateGeometry();
    update();
    if (m_pointed)
        emit pointedAt(m_series.words(static_cast<std::size_t>(*m_pointed)));
}

void TermBars::setStyle(const FigureStyle &style) {
    m_style = style;
    updateGeometry();
    update();
}

QString TermBars::axisName() const {
    return tr("%1 by %2").arg(m_series.quantityName(), m_series.indexName);
}

TermBarsGeometry TermBars::geometryAt(double width) const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    TermBarsAxes axes;
    axes.line = lineHeight(font);
    axes.above = wrappedHeight(axisName(), font, width) + 2;
    // The width of the numbers depends on the ticks. The ticks depend on the number of rows, which
    // depends on that width.
    const auto made = [&] {
        return TermBarsGeometry::of(static_cast<int>(m_series.terms.size()), width,
                                    m_style.textScale, m_lowest, m_highest, axes);
    };
    for (int pass = 0; pass < 2; ++pass) {
        const TermBarsGeometry places = made();
        for (const double tick : places.ticks)
            axes.left =
                std::max(axes.left, std::ceil(textWidth(tickText(tick, places.tickStep), font)) +
                                        2 + kTickLength);
    }
    return made();
}

int TermBars::heightForWidth(int width) const {
    return qCeil(geometryAt(width).height());
}

QSize TermBars::sizeHint() const {
    return {200, heightForWidth(std::max(width(), 40))};
}

void TermBars::paintEvent(QPaintEvent *event) {
    QPainter painter(this);
    const TermBarsGeometry places = geometryNow();
    paintAxes(painter, places);
    // Paints only the visible part of a long series.
    const auto rowAt = [&](int y) {
        return std::max(0, static_cast<int>((y - places.axes.above) / places.rowHeight));
    };
    const int first = rowAt(event->rect().top()) * places.perRow;
    const int last = std::min(places.count, (rowAt(event->rect().bottom()) + 1) * places.perRow);
    for (int index = first; index < last; ++index) {
        const double value = m_series.value(static_cast<std::size_t>(index));
        if (m_pointed == index || m_series.current == index)
            painter.fillRect(places.place(index).adjusted(0, 0, -1, -places.axes.line),
                             m_pointed == index ? mixed(m_style.accent, m_style.surface, 0.18)
                                                : mixed(m_style.selection, m_style.surface, 0.16));
        if (!std::isfinite(value)) { // a bar cannot show −∞
            const QRectF whole =
                places.place(index).adjusted(0, kMargin, -1, -kMargin - places.axes.line);
            painter.fillRect(whole, QBrush(m_style.hiddenLine, Qt::BDiagPattern));
            continue;
        }
        if (value == 0)
            continue;
        QRectF bar = places.bar(index, value);
        if (bar.height() < 1) // nonzero values stay visible
            bar.setHeight(1);
        painter.fillRect(bar, barColour(m_style, value > 0));
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_style.accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

/// Paints the caption, a line at zero, the values next to it, and the indices below the bars.
void TermBars::paintAxes(QPainter &painter, const TermBarsGeometry &places) const {
    const QFont font = m_style.font(FigureStyle::Text::Label);
    drawWrapped(painter, {0, 0, places.width, places.axes.above}, Qt::AlignLeft, axisName(), font,
                m_style.mutedText);
    const double line = places.axes.line;
    const int step = places.labelStep(textWidth(QString::number(places.count), font));
    for (int row = 0; row < places.rows(); ++row) {
        for (const double tick : places.ticks) {
            const double y = std::round(places.heightOf(tick, row));
            drawLine(painter, {0, y - line / 2, places.axes.left - 2 - kTickLength, line},
                     Qt::AlignRight, tickText(tick, places.tickStep), font, m_style.mutedText);
            painter.fillRect(QRectF(places.axes.left - kTickLength, y, kTickLength, 1),
                             m_style.mutedText);
        }
        painter.fillRect(QRectF(places.axes.left, std::round(places.heightOf(0, row)),
                                places.perRow * places.barWidth, 1),
                         m_style.mutedText);
        const int end = std::min(places.count, (row + 1) * places.perRow);
        for (int index = row * places.perRow; index < end; index += step) {
            const QString text = QString::number(index);
            const double width = textWidth(text, font);
            const QRectF place = places.place(index);
            const double left =
                std::clamp(place.center().x() - width / 2, 0.0, places.width - width);
            drawFitting(painter, {left, place.bottom() - line, width, line}, text, font,
                        m_style.mutedText);
        }
    }
}

void TermBars::point(std::optional<int> index) {
    if (index == m_pointed)
        return;
    m_pointed = index;
    const QString words = index ? m_series.words(static_cast<std::size_t>(*index)) : QString();
    setAccessibleDescription(index ? words : m_series.summary());
    update();
    emit pointedAt(words);
}

void TermBars::mouseMoveEvent(QMouseEvent *event) {
    point(geometryNow().at(event->position()));
}

void TermBars::leaveEvent(QEvent *) {
    point({});
}

void TermBars::focusOutEvent(QFocusEvent *event) {
    point({});
    QWidget::focusOutEvent(event);
}

void TermBars::keyPressEvent(QKeyEvent *event) {
    const TermBarsGeometry places = geometryNow();
    int by = 0;
    switch (event->key()) {
    case Qt::Key_Left:
        by = -1;
        break;
    case Qt::Key_Right:
        by = 1;
        break;
    case Qt::Key_Up:
        by = -places.perRow;
        break;
    case Qt::Key_Down:
        by = places.perRow;
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    const int next = m_pointed ? *m_pointed + by : 0;
    if (places.count > 0 && next >= 0 && next < places.count)
        point(next);
}

} // namespace headlight::ui
