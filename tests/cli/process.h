// Runs the built program in a clean environment and a scratch folder, and checks what it says.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStringList>
#include <QtTest>

namespace headlight::test {

/// What came of one run.
struct Run {
    int code = -1; ///< −2 where it crashed
    QByteArray out;
    QByteArray err;
};

class Program {
  public:
    /// The scratch folder of the test is emptied; every run has it as its working folder.
    Program(const QString &program, const QString &scratch);

    Run run(const QStringList &words) const;
    Run run(const QStringList &words, const QProcessEnvironment &environment) const;
    /// A shell command in which "$H" is the program.
    Run shell(const QString &script) const;

    QString path(const QString &name) const { return m_folder.filePath(name); }
    QByteArray read(const QString &name) const;
    void write(const QString &name, const QByteArray &bytes) const;
    bool has(const QString &name) const { return m_folder.exists(name); }
    /// Everything in the scratch folder, hidden files too, sorted.
    QStringList listing() const;
    const QString &file() const { return m_program; }

    /// No display, no locale of its own, nothing of Qt's; HOME is the scratch folder.
    QProcessEnvironment environment() const;

  private:
    QString m_program;
    QDir m_folder;
};

/// False while it is only just starting. It takes signals with sigwaitinfo(), so they are blocked.
bool expectsInterrupts(QProcess &process);

/// Empty, or what is wrong with the run: another code, not exactly one line beginning with
/// "headlight: " on standard error, or a word that is missing there.
QString refusal(const Run &run, int code, const QStringList &mentions = {});
/// Empty, or what is wrong with a run that should have done what it was asked to.
QString success(const Run &run);

/// The words that a shell would see, for failure messages.
QString shown(const QStringList &words);

} // namespace headlight::test

#define HEADLIGHT_REFUSED(...) QCOMPARE(headlight::test::refusal(__VA_ARGS__), QString())
#define HEADLIGHT_DONE(run) QCOMPARE(headlight::test::success(run), QString())
