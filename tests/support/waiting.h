// All waiting in tests goes through this file, which a test in tests/rules enforces. Timeouts are
// long enough for the slowest machine, so a test fails only if an event never comes. Speed is not
// tested.
#pragma once

#include <QCoreApplication>
#include <QMouseEvent>
#include <QProcess>
#include <QTimer>
#include <QTimerEvent>
#include <QWidget>
#include <QtTest>

namespace headlight::test {

constexpr int kPatience = 10 * 60 * 1000; // milliseconds

template <typename Condition>
bool until(Condition condition) {
    return QTest::qWaitFor(condition, kPatience);
}

/// Returns the widget or action of this name, which must exist.
template <typename Object>
Object *find(const QObject &parent, const char *name) {
    auto *object = parent.findChild<Object *>(QLatin1String(name));
    if (!object)
        qFatal("no object %s", name);
    return object;
}

/// Lets a running timer expire now, before any other event is processed, so that the test does not
/// depend on the machine's speed. Returns false if the timer is not running.
inline bool expire(QTimer &timer) {
    if (!timer.isActive())
        return false;
    QTimerEvent event(timer.timerId());
    QCoreApplication::sendEvent(&timer, &event);
    return true;
}

/// Sends a mouse move directly, so that other windows or the real pointer cannot interfere.
inline void moveMouse(QWidget &widget, QPointF to, Qt::MouseButtons buttons = {},
                      Qt::KeyboardModifiers modifiers = {}) {
    QMouseEvent event(QEvent::MouseMove, to, widget.mapToGlobal(to), Qt::NoButton, buttons,
                      modifiers);
    QCoreApplication::sendEvent(&widget, &event);
}

inline bool exposed(QWidget &widget) {
    return QTest::qWaitForWindowExposed(&widget, kPatience);
}
inline bool active(QWidget &widget) {
    return QTest::qWaitForWindowActive(&widget, kPatience);
}

inline bool started(QProcess &process) {
    return process.waitForStarted(kPatience);
}
inline bool endsWithin(QProcess &process, int milliseconds) {
    // The process may have ended while events were processed.
    return process.state() == QProcess::NotRunning || process.waitForFinished(milliseconds);
}
inline bool finished(QProcess &process) {
    return endsWithin(process, kPatience);
}
inline bool hasSaidSomething(QProcess &process) {
    return process.bytesAvailable() > 0 || process.waitForReadyRead(kPatience);
}

/// Pauses a test that acts at a random time. endsWithin() has the same purpose. Never use either to
/// wait for an event, because the result would depend on the machine's speed.
inline void letPass(int milliseconds) {
    QTest::qSleep(milliseconds);
}

} // namespace headlight::test

#define HEADLIGHT_UNTIL(condition)                                                                 \
    QVERIFY2(headlight::test::until([&] { return static_cast<bool>(condition); }), #condition)

#define HEADLIGHT_UNTIL_EQUAL(actual, expected)                                                    \
    do {                                                                                           \
        (void)headlight::test::until([&] { return (actual) == (expected); });                      \
        QCOMPARE(actual, expected);                                                                \
    } while (false)
