// Mouse and key events sent as by the window system, so that modal, popup and grabbing widgets
// receive them.
#pragma once

#include <QKeySequence>
#include <QPointer>
#include <QWidget>

namespace headlight::test {

/// These functions do nothing outside the window or after it was deleted.
void move(const QPointer<QWidget> &window, QPoint point);
void press(const QPointer<QWidget> &window, QPoint point, Qt::MouseButton button,
           Qt::KeyboardModifiers modifiers = {});
/// If the window was deleted, releases the button on the window with the keyboard focus.
void release(const QPointer<QWidget> &window, QPoint point, Qt::MouseButton button,
             Qt::KeyboardModifiers modifiers = {});

/// Sends key down and key up, each to the window that has the focus at that time. Alt closes a
/// menu, to which QTest::keyClick() would keep sending events.
void press(const QKeySequence &sequence);

/// Sends the tooltip event at the point.
void toolTip(QWidget &window, QPoint point);

} // namespace headlight::test
