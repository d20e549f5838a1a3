#include "process.h"

#include "tests/support/waiting.h"

#include <QFile>
#include <QProcess>

#include <csignal>
#include <filesystem>

namespace headlight::test {

namespace {

Run resultOf(QProcess &process) {
    process.closeWriteChannel();
    Run run;
    if (!finished(process)) {
        process.kill();
        (void)finished(process);
        return {-3, {}, "it did not end"};
    }
    run.code = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2;
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

} // namespace

Program::Program(const QString &program, const QString &scratch)
    : m_program(program), m_folder(scratch + "/work") {
    // QDir does not remove files whose names are not UTF-8.
    std::filesystem::remove_all(m_folder.filesystemAbsolutePath());
    m_folder.mkpath(".");
}

QProcessEnvironment Program::environment() const {
    const QProcessEnvironment outer = QProcessEnvironment::systemEnvironment();
    QProcessEnvironment clean;
    // Variables that sanitizers, coverage and unusual installations of Qt need.
    for (const char *name : {"PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS",
                             "LSAN_OPTIONS", "TSAN_OPTIONS", "QT_PLUGIN_PATH", "LOCPATH", "LC_ALL"})
        if (outer.contains(name))
            clean.insert(name, outer.value(name));
    clean.insert("HOME", m_folder.path() + "/..");
    return clean;
}

Run Program::run(const QStringList &words) const {
    return run(words, environment());
}

Run Program::run(const QStringList &words, const QProcessEnvironment &environment) const {
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start(m_program, words);
    return resultOf(process);
}

Run Program::shell(const QString &script) const {
    QProcess process;
    QProcessEnvironment environment = this->environment();
    environment.insert("H", m_program);
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(m_folder.path());
    process.start("/bin/sh", {"-c", script});
    return resultOf(process);
}

QByteArray Program::read(const QString &name) const {
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void Program::write(const QString &name, const QByteArray &bytes) const {
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path(name)));
}

QStringList Program::listing() const {
    return m_folder.entryList(QDir::AllEntries | QDir::System | QDir::Hidden | QDir::NoDotAndDotDot,
                              QDir::Name);
}

bool expectsInterrupts(QProcess &process) {
    if (endsWithin(process, 0))
        return true;
    QFile status(QString("/proc/%1/status").arg(process.processId()));
    if (!status.open(QIODevice::ReadOnly))
        return false;
    for (const QByteArray &line : status.readAll().split('\n'))
        if (line.startsWith("SigBlk:"))
            return line.mid(7).trimmed().toULongLong(nullptr, 16) >> (SIGINT - 1) & 1;
    return false;
}

QString refusal(const Run &run, int code, const QStringList &mentions) {
    const QString said = QString::fromUtf8(run.err);
    if (run.code != code)
        return QString("exit code %1, expected %2: %3").arg(run.code).arg(code).arg(said);
    if (!said.startsWith("headlight: ") || said.count('\n') != 1 || !said.endsWith('\n'))
        return QString("not one line: %1").arg(said);
    for (const QString &word : mentions)
        if (!said.contains(word))
            return QString("it does not say '%1': %2").arg(word, said);
    return {};
}

QString success(const Run &run) {
    if (run.code == 0 && run.err.isEmpty())
        return {};
    return QString("exit code %1: %2").arg(run.code).arg(QString::fromUtf8(run.err));
}

QString shown(const QStringList &words) {
    return words.join(' ').left(80);
}

} // namespace headlight::test
