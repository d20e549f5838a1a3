// Scrolling of a figure that is larger than its view, because it is zoomed or has enlarged text.
// Handles scroll bars over its margin, keys, and scrolling to the selection.
#include "ui/views/figure_view.h"
#include "ui/views/token_finder.h"

#include <QKeyEvent>
#include <QScrollBar>

#include <cmath>

namespace headlight::ui {

namespace {

constexpr int kBarWidth = 10;     // px, within the figure's margin
constexpr double kAround = 12;    // px kept free around the target
constexpr double kKeyScroll = 60; // px

/// Returns the distance to scroll until `wanted` is visible, or its beginning if it is too large.
double wayTo(double first, double last, double wantedFirst, double wantedLast) {
    if (wantedFirst < first || wantedLast - wantedFirst > last - first)
        return wantedFirst - first;
    return std::max(0.0, wantedLast - last);
}

} // namespace

QSizeF FigureView::wholeSize() const {
    const QSizeF seen = sight().size();
    if (!m_figure || seen.isEmpty())
        return seen;
    if (m_whole.first != seen)
        m_whole = {seen, m_figure->readableSize(seen).expandedTo(seen)};
    return m_whole.second;
}

void FigureView::makeScrollBars() {
    m_across = new QScrollBar(Qt::Horizontal, this);
    m_across->setObjectName("scrollAcross");
    m_across->setAccessibleName(tr("Scroll the picture to the left and right"));
    m_down = new QScrollBar(Qt::Vertical, this);
    m_down->setObjectName("scrollDown");
    m_down->setAccessibleName(tr("Scroll the picture up and down"));
    for (QScrollBar *bar : {m_across, m_down}) {
        bar->hide();
        bar->setCursor(Qt::ArrowCursor);
        connect(bar, &QScrollBar::valueChanged, this,
                [this] { setPan(QPointF(m_across->value(), m_down->value()) / shrink()); });
    }
}

void FigureView::showScrollBars() {
    const QSizeF most = beyond();
    const QRectF seen = onScreen(scrolledSight());
    const QRect all = rect();
    const auto show = [this](QScrollBar &bar, double beyond, double page, double value,
                             const QRect &place) {
        const QSignalBlocker blocker(&bar);
        bar.setRange(0, std::max(0, qFloor(beyond * shrink())));
        bar.setPageStep(qRound(page));
        bar.setSingleStep(qRound(kKeyScroll / 2));
        bar.setValue(qRound(value * shrink()));
        bar.setGeometry(place);
        bar.setVisible(bar.maximum() > 0);
    };
    const int bottom = qRound(seen.bottom()), top = qRound(seen.top());
    show(*m_across, most.width(), seen.width(), m_pan.x(),
         QRect(0, bottom - kBarWidth, all.width() - kBarWidth, kBarWidth));
    show(*m_down, most.height(), seen.height(), m_pan.y(),
         QRect(all.width() - kBarWidth, top, kBarWidth, bottom - top));
}

void FigureView::setPan(QPointF pan) {
    const QSizeF most = m_figure ? beyond() : QSizeF(0, 0);
    const QPointF before = m_pan;
    m_pan = {std::round(std::clamp(pan.x(), 0.0, std::max(0.0, most.width()))),
             std::round(std::clamp(pan.y(), 0.0, std::max(0.0, most.height())))};
    showScrollBars();
    if (m_pan != before)
        update();
}

std::vector<QRectF> FigureView::sought() const {
    const std::optional<HeatmapGeometry> large = largeGeometry();
    if (!large)
        return {};
    std::vector<QRectF> places{large->used};
    const auto row = shownRow(), column = shownColumn();
    if (row && large->showsRow(*row))
        places.push_back(column && large->showsColumn(*column) ? large->cellRect(*row, *column)
                                                               : large->rowRect(*row));
    return places;
}

void FigureView::seek() {
    const bool all = std::exchange(m_seeks, Seek::Nothing) == Seek::Everything;
    const std::size_t count = sought().size();
    for (std::size_t i = all || count == 0 ? 0 : count - 1; i < count; ++i) {
        const QRectF wanted = sought()[i]; // position after the previous scroll
        const double covered =
            m_finder && !m_finder->isHidden() ? m_finder->height() / shrink() : 0;
        const QRectF seen =
            scrolledSight().adjusted(kAround, kAround + covered, -kAround, -kAround);
        setPan(m_pan + QPointF(wayTo(seen.left(), seen.right(), wanted.left(), wanted.right()),
                               wayTo(seen.top(), seen.bottom(), wanted.top(), wanted.bottom())));
    }
}

bool FigureView::scrollWithKey(const QKeyEvent &event) {
    if (event.modifiers() != Qt::ShiftModifier)
        return false;
    const QPointF by = event.key() == Qt::Key_Left    ? QPointF(-kKeyScroll, 0)
                       : event.key() == Qt::Key_Right ? QPointF(kKeyScroll, 0)
                       : event.key() == Qt::Key_Up    ? QPointF(0, -kKeyScroll)
                       : event.key() == Qt::Key_Down  ? QPointF(0, kKeyScroll)
                                                      : QPointF();
    const QSizeF most = beyond();
    if (by.isNull() || (most.width() <= 0 && most.height() <= 0))
        return false;
    setPan(m_pan + by);
    return true;
}

} // namespace headlight::ui
