// Runs the built program in a clean environment and a scratch folder, and checks its output.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QtTest>

namespace headlight::test {

/// Result of running a process.
struct Run {
    int code = -1; ///< −2 if it crashed
    QByteArray out;
    QByteArray err;
};

class Program {
  public:
    /// Empties the test's scratch folder, which is the working folder of every run.
    Program(const QString &program, const QString &scratch);

    Run run(const QStringList &words) const;
    Run run(const QStringList &words, const QProcessEnvironment &environment) const;
    /// Runs a shell command in which "$H" is the program.
    Run shell(const QString &script) const;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    QByteArray read(const QString &name) const;
    void write(const QString &name, const QByteArray &bytes) const;
    bool has(const QString &name) const { return m_folder.exists(name); }
    /// Returns all files in the scratch folder, including hidden ones, sorted.
    QStringList listing() const;
    const QString &file() const { return m_program; }

    /// Returns an environment without display, locale and Qt variables. HOME is the scratch
    /// folder.
    QProcessEnvironment environment() const;

  private:
    QString m_program;
    QDir m_folder;
};

/// True once the program handles signals or has ended; false during start-up. The program handles
/// signals with sigwaitinfo(), so it blocks them first.
bool expectsInterrupts(QProcess &process);

/// Returns an empty text, or what is wrong: another exit code, standard error that is not exactly
/// one line beginning with "headlight: ", or a missing word.
QString refusal(const Run &run, int code, const QStringList &mentions = {});
/// Returns an empty text, or what is wrong with a run that should have succeeded.
QString success(const Run &run);

/// Joins words as a shell command, for failure messages.
QString shown(const QStringList &words);

} // namespace headlight::test

#define HEADLIGHT_REFUSED(...) QCOMPARE(headlight::test::refusal(__VA_ARGS__), QString())
#define HEADLIGHT_DONE(run) QCOMPARE(headlight::test::success(run), QString())
