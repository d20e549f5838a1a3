// Runs the built program, to compare what it writes with what a window writes.
#pragma once

#include "tests/support/waiting.h"

#include <QProcess>

namespace headlight::test {

/// Runs `headlight`, which must succeed, and returns what it prints.
inline QByteArray printedBy(const QStringList &words) {
    QProcess process;
    process.start(HEADLIGHT_PROGRAM, words);
    if (!finished(process) || process.exitCode() != 0)
        qFatal("headlight failed: %s", process.readAllStandardError().constData());
    return process.readAllStandardOutput();
}

/// Runs a shown command, which begins with `headlight`, in a shell in the folder.
inline void runIn(const QString &folder, QString command) {
    command.replace(0, QString("headlight").size(), QString("'%1'").arg(HEADLIGHT_PROGRAM));
    QProcess shell;
    shell.setWorkingDirectory(folder);
    shell.start("/bin/sh", {"-c", command});
    if (!finished(shell) || shell.exitCode() != 0)
        qWarning("%s\n%s", qPrintable(command), shell.readAllStandardError().constData());
}

} // namespace headlight::test
