// All tests of a folder are one program. Its first argument selects the test file to run.
#pragma once

#include <QtTest>
#include <QtWidgets>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

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

/// Returns the value, or ends the program with the error.
template <typename Result>
auto valueOf(Result result) {
    if (!result)
        qFatal("%s", result.error().text().c_str());
    return *std::move(result);
}

/// True if there is no error. Otherwise prints it.
template <typename Result>
bool isOk(const Result &result) {
    return result || (qWarning("%s", result.error().text().c_str()), false);
}

/// Returns a message for QVERIFY2().
template <typename... Values>
QByteArray said(QString words, const Values &...values) {
    ((words = words.arg(values)), ...);
    return words.toUtf8();
}

/// True if the text has all parts. Otherwise prints the text.
inline bool says(const QString &text, const QStringList &parts) {
    for (const QString &part : parts)
        if (!text.contains(part))
            return qWarning("“%s” is not in: %s", qPrintable(part), qPrintable(text)), false;
    return true;
}
inline bool says(const QString &text, const QString &part) {
    return says(text, QStringList{part});
}

/// Adds the columns of a table of test cases.
template <typename... Types>
void addColumns(std::initializer_list<const char *> names) {
    const char *const *name = names.begin();
    (QTest::addColumn<Types>(*name++), ...);
}

template <typename Value>
QString rowText(const Value &value) {
    QString text;
    if constexpr (std::is_enum_v<Value>)
        text = QString::number(static_cast<int>(value));
    else if constexpr (std::is_same_v<Value, QString>)
        text = QFileInfo(value).fileName();
    else if constexpr (requires(QDebug debug) { debug << value; })
        QDebug(&text).nospace() << value;
    return text;
}

/// Adds one column and a row for each of its values.
template <typename Values>
void addRows(const char *name, const Values &values) {
    QTest::addColumn<std::decay_t<decltype(*std::begin(values))>>(name);
    for (const auto &value : values)
        QTest::addRow("%s", qPrintable(rowText(value))) << value;
}
template <typename Value>
void addRows(const char *name, std::initializer_list<Value> values) {
    addRows(name, std::vector<Value>(values));
}

/// Adds the columns, and a row for each combination of their values.
template <typename... Values>
void addCombinations(std::initializer_list<const char *> names, const std::vector<Values> &...all) {
    addColumns<Values...>(names);
    const std::size_t sizes[] = {all.size()...};
    const std::size_t count = (all.size() * ...);
    for (std::size_t row = 0; row < count; ++row) {
        std::size_t rest = row, column = 0, at[sizeof...(Values)];
        for (std::size_t size : sizes) {
            at[column++] = rest % size;
            rest /= size;
        }
        QStringList texts;
        column = 0;
        ((texts << rowText<Values>(all[at[column++]])), ...);
        QTestData &data = QTest::addRow("%s", qPrintable(texts.join(", ")));
        column = 0;
        ((data << Values(all[at[column++]])), ...);
    }
}

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
