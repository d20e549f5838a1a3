// Mouse, wheel and keys of every view: selecting, zooming, moving.
#include "ui/figures/heatmap/cell_place.h"
#include "ui/views/figure_view.h"

#include <QMouseEvent>
#include <QTimer>

#include <algorithm>
#include <cmath>

namespace headlight::ui {

void FigureView::zoomBy(double factor, QPointF point) {
    // Zooming out by whole steps must end at exactly 1 despite rounding.
    double zoom = std::clamp(m_zoom * factor, 1.0, kMaxZoom);
    if (std::abs(zoom - 1) < 0.01)
        zoom = 1;
    if (zoom == m_zoom)
        return;
    const QPointF seen = inFigure(point);
    const QPointF kept = (m_pan + seen) / m_zoom;
    m_zoom = zoom;
    setPan(kept * zoom - seen);
    update();
    m_mustFollow = true;
    emit zoomChanged();
}

void FigureView::fit() {
    if (m_zoom == 1)
        return;
    m_zoom = 1;
    setPan({});
    update();
    m_mustFollow = true;
    emit zoomChanged();
}

void FigureView::showWindow(const std::optional<Cell> &origin) {
    m_origin = origin;
    m_mustFollow = !origin;
    update();
    emit zoomChanged();
}

void FigureView::resizeEvent(QResizeEvent *event) {
    QWidget::resizeEvent(event);
    m_mustFollow = true;
    m_seeks = Seek::Everything;
    if (m_figure)
        setPan(m_pan);
}

bool FigureView::scrollWindow(QPointF point, QPointF by) {
    const std::optional<HeatmapGeometry> large = largeGeometry();
    if (!large || !large->isWindow || !large->cells.contains(point))
        return false;
    m_scrolled += by;
    const Cell cells{static_cast<core::Index>(m_scrolled.y() / large->cell.height()),
                     static_cast<core::Index>(m_scrolled.x() / large->cell.width())};
    m_scrolled -= QPointF(static_cast<double>(cells.column) * large->cell.width(),
                          static_cast<double>(cells.row) * large->cell.height());
    m_origin = Cell{std::max<core::Index>(0, large->origin.row + cells.row),
                    std::max<core::Index>(0, large->origin.column + cells.column)};
    // The layout limits the origin at the far end.
    if (const auto moved = largeGeometry())
        m_origin = moved->origin;
    update();
    return true;
}

void FigureView::mousePressEvent(QMouseEvent *event) {
    const bool moves =
        event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceDown);
    if (moves) {
        m_spaceUsed = true;
        m_dragged = event->position();
        setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (startPainting(*event) || event->button() != Qt::LeftButton || !figure())
        return;
    m_document.select(selectionOf(placeAt(inFigure(event->position()))));
    emit hovered(wordsAt(event->position()));
}

void FigureView::mouseMoveEvent(QMouseEvent *event) {
    if (m_brush)
        return paintTo(*event);
    if (!m_dragged) {
        if (m_editsMask)
            setCursor(m_figure && maskPlaceAt(event->position()) ? Qt::CrossCursor
                                                                 : Qt::ArrowCursor);
        emit hovered(wordsAt(event->position()));
        emit termHovered(termAt(inFigure(event->position())));
        return;
    }
    const QPointF point = inFigure(event->position());
    const QPointF by = inFigure(*m_dragged) - point;
    if (!scrollAt(point, by) && !scrollWindow(point, by))
        setPan(m_pan + by);
    m_dragged = event->position();
}

void FigureView::mouseReleaseEvent(QMouseEvent *) {
    m_brush.reset();
    if (!m_dragged)
        return;
    m_dragged.reset();
    unsetCursor();
}

void FigureView::mouseDoubleClickEvent(QMouseEvent *event) {
    if (startPainting(*event))
        return;
    if (event->button() == Qt::LeftButton)
        fit();
}

void FigureView::wheelEvent(QWheelEvent *event) {
    // A wheel notch is 120 eighths of a degree; a touch pad reports pixels.
    QPointF by = event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2
                                              : QPointF(event->pixelDelta());
    by = -by;
    m_wheelRest->start();
    if (event->modifiers() & Qt::ControlModifier) {
        zoomBy(std::pow(1.25, -by.y() / 60), event->position());
        return event->accept();
    }
    if (event->modifiers() & Qt::ShiftModifier)
        by = by.x() == 0 ? QPointF(by.y(), 0) : by;
    if (!figure())
        return event->ignore();
    const QPointF point = inFigure(event->position());
    if (scrollAt(point, by) || scrollWindow(point, by))
        return event->accept();
    const QPointF before = m_pan;
    setPan(m_pan + by);
    if (m_pan == before)
        return event->ignore();
    event->accept();
}

CellDetail FigureView::detailForPaint() {
    m_isCoarse = m_wheelRest->isActive();
    return m_isCoarse ? CellDetail::Coarse : CellDetail::Full;
}

void FigureView::leaveEvent(QEvent *) {
    emit hovered({});
    emit termHovered({});
}

void FigureView::focusOutEvent(QFocusEvent *event) {
    m_spaceDown = false;
    m_brush.reset();
    QWidget::focusOutEvent(event);
}

void FigureView::keyPressEvent(QKeyEvent *event) {
    if (handleMaskKey(*event) || handleKey(event))
        return;
    if (scrollWithKey(*event))
        return;
    switch (event->key()) {
    case Qt::Key_Left:
        return moveSelection(0, -1);
    case Qt::Key_Right:
        return moveSelection(0, 1);
    case Qt::Key_Up:
        return moveSelection(-1, 0);
    case Qt::Key_Down:
        return moveSelection(1, 0);
    case Qt::Key_Home:
    case Qt::Key_End:
        return moveToEnd(event->key() == Qt::Key_Home ? -1 : 1,
                         event->modifiers().testFlag(Qt::ControlModifier));
    case Qt::Key_Plus: // Ctrl+Shift++ is Larger text
        if (event->modifiers().testFlag(Qt::ControlModifier) &&
            !event->modifiers().testFlag(Qt::ShiftModifier))
            return zoomBy(1.25);
        return QWidget::keyPressEvent(event);
    case Qt::Key_Space:
        if (!event->isAutoRepeat()) {
            m_spaceDown = true;
            m_spaceUsed = false;
        }
        return;
    case Qt::Key_Escape: {
        core::Selection selection = m_document.selection();
        if (!selection.query && !selection.key && !selection.dimension && !selection.distance)
            return QWidget::keyPressEvent(event); // leave the key to the parent
        selection.query.reset();
        selection.key.reset();
        selection.dimension.reset();
        selection.distance.reset();
        return m_document.select(selection);
    }
    default:
        QWidget::keyPressEvent(event);
    }
}

void FigureView::keyReleaseEvent(QKeyEvent *event) {
    if (event->key() != Qt::Key_Space)
        return QWidget::keyReleaseEvent(event);
    if (event->isAutoRepeat() || !m_spaceDown)
        return;
    m_spaceDown = false;
    if (!m_spaceUsed)
        emit playRequested();
}

} // namespace headlight::ui
