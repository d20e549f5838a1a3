// All tests of a folder are one program. Its first argument selects the test file to run.
#pragma once

#include <QApplication>
#include <QTest>

namespace headlight::test {

struct RegisteredTest {
    using Run = int (*)(int count, char **words);
    /// Registers the test under the file's name without folder and extension.
    RegisteredTest(const char *file, Run run);
};

/// For tests without an application object.
struct NoApplication {
    NoApplication(int &, char **) {}
};

} // namespace headlight::test

#define HEADLIGHT_TEST_WITH(Application, Test)                                                     \
    static const headlight::test::RegisteredTest registered##Test(                                 \
        __FILE__, [](int count, char **words) {                                                    \
            QCoreApplication::setAttribute(Qt::AA_Use96Dpi);                                       \
            [[maybe_unused]] Application application(count, words);                                \
            Test test;                                                                             \
            return QTest::qExec(&test, count, words);                                              \
        });
/// Replacements for QTEST_MAIN, QTEST_GUILESS_MAIN and QTEST_APPLESS_MAIN.
#define HEADLIGHT_WIDGET_TEST(Test) HEADLIGHT_TEST_WITH(QApplication, Test)
#define HEADLIGHT_GUILESS_TEST(Test) HEADLIGHT_TEST_WITH(QCoreApplication, Test)
#define HEADLIGHT_APPLESS_TEST(Test) HEADLIGHT_TEST_WITH(headlight::test::NoApplication, Test)
