// Drag and drop as the window system sends it: Qt finds the widget that accepts the drop.
#pragma once

#include <QCoreApplication>
#include <QDropEvent>
#include <QPointer>
#include <QWidget>
#include <QWindow>

namespace headlight::test {

/// Returns true if a widget accepts the drop. `widget` is a visible window.
inline bool dragOnto(QWidget &widget, QPoint point, QMimeData &data) {
    const QPointer<QWindow> window = widget.windowHandle();
    if (!window)
        return false;
    QDragEnterEvent enter(point, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window, &enter);
    if (!window)
        return false;
    QDragMoveEvent move(point, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window, &move);
    if (!window)
        return false;
    if (!enter.isAccepted() && !move.isAccepted()) {
        QDragLeaveEvent leave;
        QCoreApplication::sendEvent(window, &leave);
        return false;
    }
    QDropEvent drop(point, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(window, &drop);
    return drop.isAccepted();
}

} // namespace headlight::test
