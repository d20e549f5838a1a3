// The one place where tests wait; a test in tests/rules says so. Nothing here measures speed: what
// must come comes within these minutes on the slowest machine, so only what never comes fails.
#pragma once

#include <QProcess>
#include <QWidget>
#include <QtTest>

namespace headlight::test {

constexpr int kPatience = 10 * 60 * 1000; // milliseconds

template <typename Condition>
bool until(Condition condition) {
    return QTest::qWaitFor(condition, kPatience);
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
    // An event may have told that it ended already.
    return process.state() == QProcess::NotRunning || process.waitForFinished(milliseconds);
}
inline bool finished(QProcess &process) {
    return endsWithin(process, kPatience);
}
inline bool hasSaidSomething(QProcess &process) {
    return process.bytesAvailable() > 0 || process.waitForReadyRead(kPatience);
}

/// For a test that does something at a random moment; so is endsWithin(). Never to wait for
/// something: whether it is there by then depends on the machine.
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
