// Dragging of vectors: the inputs of a vector change while the mouse moves, as one undo step.
#include "ui/text/capture_text.h"
#include "ui/text/core_message.h"
#include "ui/views/geometry_view.h"

#include <QKeyEvent>

namespace headlight::ui {

namespace {

constexpr double kDragBegins = 3; // px; a shorter movement is a click
constexpr double kNudge = 0.01;   // distance per arrow key, as a share of the plot's width

} // namespace

edits::VectorId GeometryView::idOf(const Hit &hit) const {
    const VectorSource &place = planes()->plane(hit.plane).places[hit.vector];
    const core::Selection &selection = document().selection();
    return {{place.sequence, selection.layer, selection.head, selection.block, selection.stack},
            place.stage,
            place.token};
}

void GeometryView::mousePressEvent(QMouseEvent *event) {
    setFocus(Qt::MouseFocusReason);
    const bool takes = event->button() == Qt::LeftButton && !isSpaceDown() && figure() && !m_drag;
    const std::optional<Hit> hit = takes ? hitAt(inFigure(event->position())) : std::nullopt;
    if (!hit)
        return FigureView::mousePressEvent(event);
    pause();
    Drag drag;
    drag.hit = *hit;
    drag.id = idOf(*hit);
    drag.from = inFigure(event->position());
    drag.unavailableReason = edits::unmovableReason(drag.id);
    if (document().comparison().shown() != ComparisonSide::Now)
        drag.unavailableReason = tr("A cannot be edited: show Current to drag vectors");
    if (document().isCapture())
        drag.unavailableReason = readOnlyReason();
    if (document().traceIsStale())
        drag.unavailableReason = tr("the numbers are still being computed");
    drag.state = document().state();
    drag.trace = document().trace();
    drag.share = planes()->plane(hit->plane).content.vectors[hit->vector].share;
    if (drag.unavailableReason.isEmpty()) // A may have words that the current run does not have
        drag.vector = core::vectorAt(*drag.trace, drag.id.place, drag.id.stage, drag.id.token);
    drag.gesture = document().newGesture();
    const core::Selection selection = selectionOf(placeAt(drag.from));
    m_drag = std::move(drag);
    document().select(selection);
}

void GeometryView::mouseMoveEvent(QMouseEvent *event) {
    if (!m_drag) {
        FigureView::mouseMoveEvent(event);
        if (!isMovingFigure())
            showCursor(event->position());
        return;
    }
    followMouse(inFigure(event->position()));
}

void GeometryView::followMouse(QPointF point) {
    Drag &drag = *m_drag;
    const QPointF by = point - drag.from;
    if (!drag.moved && by.manhattanLength() < kDragBegins)
        return;
    if (!drag.unavailableReason.isEmpty()) {
        setCursor(Qt::ForbiddenCursor);
        emit hovered(drag.unavailableReason);
        return;
    }
    if (!drag.moved) {
        // Pin the directions and the viewport, so that the vector stays under the mouse.
        drag.moved = true;
        (void)figure();
        drag.sights = m_sights;
        m_sights[drag.hit.plane] = geometry().planes[drag.hit.plane].sight;
        hold();
        setCursor(Qt::ClosedHandCursor);
    }
    drag.wanted = point;
    // Skip positions while a computation runs; otherwise nothing would ever be shown.
    if (!document().traceIsStale())
        applyWanted();
}

void GeometryView::applyWanted() {
    Drag &drag = *m_drag;
    if (!drag.wanted)
        return;
    const QPointF by = *std::exchange(drag.wanted, {}) - drag.from;
    // A vector that is drawn shortened moves further than the mouse.
    const double unit = m_sights[drag.hit.plane]->unit * drag.share;
    const core::Projection &held =
        m_held[static_cast<std::size_t>(planes()->plane(drag.hit.plane).space)]->projection;
    core::Result<Change> change = edits::moveVector(
        drag.state, *drag.trace, drag.id, held.moved(drag.vector, by.x() / unit, -by.y() / unit));
    if (!change)
        return emit failed(change.error());
    emit hovered(change->words().text());
    if (const core::Outcome outcome = document().apply(*std::move(change), drag.gesture); !outcome)
        emit failed(outcome.error());
}

void GeometryView::endDrag() {
    if (m_drag->moved) {
        applyWanted(); // apply the last position, even if the previous one is being computed
        m_sights = m_drag->sights;
    }
    m_drag.reset();
    unsetCursor();
    letGo();
}

void GeometryView::cancelDrag() {
    if (!m_drag)
        return;
    const bool moved = m_drag->moved;
    m_drag->wanted.reset();
    const DocumentState before = m_drag->state;
    const int gesture = m_drag->gesture;
    endDrag();
    // Restore the start state within the gesture, which leaves no undo step.
    if (moved && document().state() != before)
        (void)document().apply(checked({before, {}}), gesture);
}

void GeometryView::mouseReleaseEvent(QMouseEvent *event) {
    if (!m_drag || event->button() != Qt::LeftButton)
        return FigureView::mouseReleaseEvent(event);
    endDrag();
}

void GeometryView::mouseDoubleClickEvent(QMouseEvent *event) {
    if (m_drag)
        return;
    FigureView::mouseDoubleClickEvent(event);
}

void GeometryView::showCursor(QPointF point) {
    const std::optional<Hit> hit = hitAt(inFigure(point));
    if (!hit)
        unsetCursor();
    else if (edits::unmovableReason(idOf(*hit)).isEmpty())
        setCursor(Qt::OpenHandCursor);
    else
        setCursor(Qt::PointingHandCursor);
}

bool GeometryView::event(QEvent *event) {
    // While the view has the focus, it uses these keys to move vectors instead of the window.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto *key = static_cast<QKeyEvent *>(event);
        const bool isArrow = key->key() >= Qt::Key_Left && key->key() <= Qt::Key_Down;
        const bool cancels = key->key() == Qt::Key_Escape && m_drag;
        if ((isArrow && key->modifiers().testFlag(Qt::ControlModifier) &&
             !key->modifiers().testFlag(Qt::ShiftModifier)) ||
            cancels) {
            event->accept();
            return true;
        }
    }
    return FigureView::event(event);
}

bool GeometryView::handleKey(QKeyEvent *event) {
    if (event->key() == Qt::Key_Escape && m_drag) {
        cancelDrag();
        return true;
    }
    if (!event->modifiers().testFlag(Qt::ControlModifier) ||
        event->modifiers().testFlag(Qt::ShiftModifier))
        return false;
    switch (event->key()) {
    case Qt::Key_Left:
        nudge(-1, 0, event->isAutoRepeat());
        return true;
    case Qt::Key_Right:
        nudge(1, 0, event->isAutoRepeat());
        return true;
    case Qt::Key_Up:
        nudge(0, 1, event->isAutoRepeat());
        return true;
    case Qt::Key_Down:
        nudge(0, -1, event->isAutoRepeat());
        return true;
    default:
        return false;
    }
}

void GeometryView::nudge(double right, double up, bool goesOn) {
    if (m_drag || !figure())
        return;
    if (document().traceIsStale()) // a held key repeats the move once the trace is up to date
        return;
    const core::Selection &selection = document().selection();
    const core::Role role = core::infoOf(selection.stage).role;
    const bool ofKey = role == core::Role::Key || role == core::Role::Value;
    const std::optional<core::Index> token = ofKey ? selection.key : selection.query;
    // At a query, key, value, context or output stage, the keys move that vector. At any other
    // stage, they move the word's vector.
    const bool isWord = role != core::Role::Query && !ofKey && role != core::Role::Context &&
                        selection.stage != core::Stage::Output;
    const core::Stage stage = isWord ? core::Stage::Positioned : selection.stage;
    for (std::size_t i = 0; i < planes()->count(); ++i) {
        const SpacePlane &plane = planes()->plane(i);
        for (std::size_t vector = 0; vector < plane.places.size(); ++vector) {
            const VectorSource &place = plane.places[vector];
            if (place.stage != stage || token != place.token ||
                place.sequence != selection.sequence)
                continue;
            const edits::VectorId id{
                {place.sequence, selection.layer, selection.head, selection.block, selection.stack},
                stage,
                place.token};
            const auto numbers = core::vectorAt(*document().trace(), id.place, id.stage, id.token);
            const PlaneGeometry shown = geometry().planes[i];
            const double step = kNudge * shown.plot.width() /
                                (shown.sight.unit * plane.content.vectors[vector].share);
            core::Result<Change> change =
                edits::moveVector(document().state(), *document().trace(), id,
                                  plane.projection.moved(numbers, right * step, up * step));
            if (!change)
                return emit hovered(translated(change.error().what));
            emit hovered(change->words().text());
            m_nudges = goesOn ? m_nudges : document().newGesture();
            if (const core::Outcome outcome = document().apply(*std::move(change), m_nudges);
                !outcome)
                emit failed(outcome.error());
            return;
        }
    }
    emit hovered(tr("Select a word, a query, a key or a value to move it"));
}

} // namespace headlight::ui
