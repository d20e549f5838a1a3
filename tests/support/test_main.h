// The tests of a folder are one program; the first word on its command line says which file's test
// runs.
#pragma once

#include <QApplication>
#include <QTest>

namespace headlight::test {

struct RegisteredTest {
    using Run = int (*)(int count, char **words);
    /// Under the file's name without its folder and ending.
    RegisteredTest(const char *file, Run run);
};

/// For a test that needs none.
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
/// As QTEST_MAIN, QTEST_GUILESS_MAIN and QTEST_APPLESS_MAIN.
#define HEADLIGHT_WIDGET_TEST(Test) HEADLIGHT_TEST_WITH(QApplication, Test)
#define HEADLIGHT_GUILESS_TEST(Test) HEADLIGHT_TEST_WITH(QCoreApplication, Test)
#define HEADLIGHT_APPLESS_TEST(Test) HEADLIGHT_TEST_WITH(headlight::test::NoApplication, Test)
