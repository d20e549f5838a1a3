// What the monkey's mouse and keys do, as the window system tells it: what is modal, a popup or
// grabbed gets its events.
#pragma once

#include <QKeySequence>
#include <QPointer>
#include <QWidget>

namespace headlight::test {

/// Nothing happens outside the window, or where it is gone by now.
void move(const QPointer<QWidget> &window, QPoint point);
void press(const QPointer<QWidget> &window, QPoint point, Qt::MouseButton button,
           Qt::KeyboardModifiers modifiers = {});
/// Of a window that is gone: where the keyboard is.
void release(const QPointer<QWidget> &window, QPoint point, Qt::MouseButton button,
             Qt::KeyboardModifiers modifiers = {});

/// Down and up, one event after the other, each to what has the keyboard by then: Alt closes a
/// menu, which QTest::keyClick() would go on typing into.
void press(const QKeySequence &sequence);

/// The pointer rests there.
void toolTip(QWidget &window, QPoint point);

} // namespace headlight::test
