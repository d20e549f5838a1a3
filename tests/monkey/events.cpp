#include "tests/monkey/events.h"

#include <QApplication>
#include <QHelpEvent>
#include <QWindow>
#include <QtTest>

namespace headlight::test {

namespace {

/// Returns the window with the keyboard focus.
QWindow *listener() {
    const QWidget *popup = QApplication::activePopupWidget();
    return popup ? popup->windowHandle() : QGuiApplication::focusWindow();
}

} // namespace

void move(const QPointer<QWidget> &window, QPoint point) {
    if (window && window->windowHandle() && window->rect().contains(point))
        QTest::mouseMove(window->windowHandle(), point);
}
void press(const QPointer<QWidget> &window, QPoint point, Qt::MouseButton button,
           Qt::KeyboardModifiers modifiers) {
    if (window && window->windowHandle())
        QTest::mousePress(window->windowHandle(), button, modifiers, point);
}
void release(const QPointer<QWidget> &window, QPoint point, Qt::MouseButton button,
             Qt::KeyboardModifiers modifiers) {
    QWindow *handle = window ? window->windowHandle() : QGuiApplication::focusWindow();
    if (handle)
        QTest::mouseRelease(handle, button, modifiers, point);
}

void press(const QKeySequence &sequence) {
    const auto send = [](bool isPress, int key, Qt::KeyboardModifiers held, const QString &text) {
        if (QWindow *window = listener())
            QTest::simulateEvent(window, isPress, key, held, text, false);
    };
    constexpr std::pair<Qt::KeyboardModifier, Qt::Key> keys[] = {
        {Qt::ShiftModifier, Qt::Key_Shift},
        {Qt::ControlModifier, Qt::Key_Control},
        {Qt::AltModifier, Qt::Key_Alt},
        {Qt::MetaModifier, Qt::Key_Meta}};
    const Qt::Key key = sequence[0].key();
    const Qt::KeyboardModifiers all = sequence[0].keyboardModifiers();
    const char ascii = QTest::keyToAscii(key);
    const QString text = ascii ? QString(QLatin1Char(ascii)) : QString();
    Qt::KeyboardModifiers held;
    for (const auto &[modifier, its] : keys)
        if (all & modifier) {
            send(true, its, held, {});
            held |= modifier;
        }
    send(true, key, all, text);
    send(false, key, all, text);
    for (auto each = std::rbegin(keys); each != std::rend(keys); ++each)
        if (all & each->first) {
            send(false, each->second, held, {});
            held &= ~Qt::KeyboardModifiers(each->first);
        }
}

void toolTip(QWidget &window, QPoint point) {
    QWidget *widget = window.childAt(point);
    if (!widget)
        widget = &window;
    QHelpEvent event(QEvent::ToolTip, widget->mapFrom(&window, point), window.mapToGlobal(point));
    QCoreApplication::sendEvent(widget, &event);
}

} // namespace headlight::test
