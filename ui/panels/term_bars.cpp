#include "ui/panels/term_bars.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

namespace {

constexpr double kNarrowest = 4;  // pixels of a bar and its gap
constexpr double kWidest = 28;    // two bars are no barn doors
constexpr double kRowHeight = 72; // of one row of bars
constexpr double kMargin = 3;

/// Strong enough on the background, whatever the theme: the ends of the map, not its pale middle.
QColor barColour(const FigureStyle &style, bool positive) {
    const double reach = style.isDark ? 0.28 : 0.4;
    return QColor(colourOf(style.signedMap, positive ? 0.5 + reach : 0.5 - reach));
}

} // namespace

TermBarsGeometry TermBarsGeometry::of(int count, double width, double scale, double lowest,
                                      double highest) {
    TermBarsGeometry geometry;
    geometry.count = count;
    geometry.width = std::max(width, kNarrowest);
    geometry.rowHeight = std::round(kRowHeight * std::clamp(scale, 1.0, 1.5));
    const int most = std::max(1, static_cast<int>(geometry.width / kNarrowest));
    const int rows = std::max(1, (count + most - 1) / most);
    // Rows of one length, so that the last is no stump.
    geometry.perRow = std::max(1, (count + rows - 1) / rows);
    const double span = highest - lowest;
    const double usable = geometry.rowHeight - 2 * kMargin;
    geometry.pixels = span > 0 ? usable / span : 0;
    geometry.axis = (kMargin + (span > 0 ? highest / span : 0.5) * usable) / geometry.rowHeight;
    geometry.barWidth = std::min(kWidest * scale, geometry.width / geometry.perRow);
    return geometry;
}

QRectF TermBarsGeometry::place(int index) const {
    return {index % perRow * barWidth, index / perRow * rowHeight, barWidth, rowHeight};
}

QRectF TermBarsGeometry::bar(int index, double value) const {
    const QRectF whole = place(index);
    const double zero = std::round(whole.top() + axis * rowHeight);
    const double length = value * pixels;
    const double gap = barWidth >= 6 ? 2 : 1;
    return {whole.left(), zero - std::max(length, 0.0), barWidth - gap, std::abs(length)};
}

std::optional<int> TermBarsGeometry::at(QPointF point) const {
    const int column = static_cast<int>(std::floor(point.x() / barWidth));
    const int row = static_cast<int>(std::floor(point.y() / rowHeight));
    const int index = row * perRow + column;
    if (column < 0 || column >= perRow || row < 0 || index >= count)
        return std::nullopt;
    return index;
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

TermBarsGeometry TermBars::geometryNow() const {
    return TermBarsGeometry::of(static_cast<int>(m_series.terms.size()), width(), m_style.textScale,
                                m_lowest, m_highest);
}

int TermBars::heightForWidth(int width) const {
    return qCeil(
        TermBarsGeometry::of(static_cast<int>(m_series.terms.size()), width, m_style.textScale)
            .height());
}

QSize TermBars::sizeHint() const {
    return {200, heightForWidth(std::max(width(), 40))};
}

void TermBars::paintEvent(QPaintEvent *event) {
    QPainter painter(this);
    const TermBarsGeometry places = geometryNow();
    for (int row = 0; row < places.rows(); ++row) {
        const double y = std::round((row + places.axis) * places.rowHeight);
        painter.fillRect(QRectF(0, y, places.perRow * places.barWidth, 1), m_style.border);
    }
    // A long series is painted only where it is seen.
    const int first = static_cast<int>(event->rect().top() / places.rowHeight) * places.perRow;
    const int last =
        std::min(places.count,
                 (static_cast<int>(event->rect().bottom() / places.rowHeight) + 1) * places.perRow);
    for (int index = first; index < last; ++index) {
        const double value = m_series.value(static_cast<std::size_t>(index));
        if (m_pointed == index || m_series.current == index)
            painter.fillRect(places.place(index).adjusted(0, 0, -1, 0),
                             m_pointed == index ? mixed(m_style.accent, m_style.surface, 0.18)
                                                : mixed(m_style.selection, m_style.surface, 0.16));
        if (!std::isfinite(value)) { // −∞: no length would be long enough
            const QRectF whole = places.place(index).adjusted(0, kMargin, -1, -kMargin);
            painter.fillRect(whole, QBrush(m_style.hiddenLine, Qt::BDiagPattern));
            continue;
        }
        if (value == 0)
            continue;
        QRectF bar = places.bar(index, value);
        if (bar.height() < 1) // not zero: it shows
            bar.setHeight(1);
        painter.fillRect(bar, barColour(m_style, value > 0));
    }
    if (hasFocus()) {
        painter.setPen(QPen(m_style.accent, 1));
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

bool TermBars::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const std::optional<int> index = geometryNow().at(help->pos()))
            QToolTip::showText(help->globalPos(), m_series.words(static_cast<std::size_t>(*index)),
                               this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
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
