#include "tests/monkey/rounds.h"

#include "tests/monkey/monkey.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

namespace headlight::test {

namespace {

/// Links that would leave the program go nowhere.
class Nowhere : public QObject {
    Q_OBJECT
  public slots:
    void open(const QUrl &) {}
};

/// "0-12,15"
QString listOf(const QList<int> &numbers) {
    QStringList parts;
    for (qsizetype i = 0; i < numbers.size();) {
        qsizetype last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        parts << (last == i ? QString::number(numbers[i])
                            : QString("%1-%2").arg(numbers[i]).arg(numbers[last]));
        i = last + 1;
    }
    return parts.join(',');
}

QProcessEnvironment surroundings(const QString &folder) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(name, folder + "/home");
    environment.remove("QT_QPA_PLATFORMTHEME"); // no dialogs of the desktop's own
    environment.remove("XDG_CURRENT_DESKTOP");
    environment.insert("HEADLIGHT_AUTOSAVE_MS", "20");
    return environment;
}

} // namespace

QStringList sources() {
    QStringList all = ui::lessonIds();
    const QDir folder(HEADLIGHT_SESSIONS);
    for (const QString &name : folder.entryList({"*.headlight"}, QDir::Files, QDir::Name))
        all << folder.filePath(name);
    return all;
}

int play(const Round &round, int argc, char **argv) {
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QApplication application(argc, argv);
    QApplication::setApplicationName("headlight");
    QApplication::setOrganizationName("headlight");
    Nowhere nowhere;
    const QStringList schemes{"http", "https", "file", "mailto"};
    for (const QString &scheme : schemes)
        QDesktopServices::setUrlHandler(scheme, &nowhere, "open");
    Monkey monkey(round.seed, round.numbers, QDir::currentPath());
    monkey.start(round.source);
    const int code = QApplication::exec();
    for (const QString &scheme : schemes)
        QDesktopServices::unsetUrlHandler(scheme);
    return code;
}

Outcome playElsewhere(const Round &round) {
    const QTemporaryDir folder;
    QDir(folder.path()).mkdir("home");
    QFile vectors(folder.filePath("vectors.txt"));
    if (vectors.open(QIODevice::WriteOnly))
        vectors.write("bank 4 5\nmoney 6 -7.5\n");
    vectors.close();
    Round inside = round; // what it saves stays in its folder
    for (const QString &source : sources())
        if (source.contains('/')) {
            const QString copy = folder.filePath(QFileInfo(source).fileName());
            QFile::copy(source, copy);
            if (source == round.source)
                inside.source = copy;
        }
    QProcess process;
    process.setProcessEnvironment(surroundings(folder.path()));
    process.setWorkingDirectory(folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QCoreApplication::applicationFilePath(), QStringList{"--round"} + words(inside));
    Outcome outcome;
    const bool ended = started(process) && finished(process);
    outcome.said = QString::fromUtf8(process.readAllStandardOutput());
    if (!ended) {
        process.kill();
        (void)finished(process);
        outcome.said += "\nit hangs\n";
        return outcome;
    }
    const bool crashed = process.exitStatus() == QProcess::CrashExit;
    outcome.ok = !crashed && process.exitCode() == 0;
    if (crashed)
        outcome.said += QString("\nit died of signal %1\n").arg(process.exitCode());
    outcome.memory = outcome.said.section(" MB", -2, -2).section('\n', -1).toLongLong();
    return outcome;
}

QStringList words(const Round &round) {
    return {"--seed",    QString::number(round.seed), "--source", round.source,
            "--actions", listOf(round.numbers)};
}

/// What comes after the failure is not needed, and mostly little of what came before.
Round shrunk(Round round) {
    for (qsizetype size = (round.numbers.size() + 1) / 2; size > 0; size /= 2)
        for (qsizetype begin = round.numbers.size() - 1; begin >= 0; begin -= size) {
            Round smaller = round;
            const qsizetype from = std::max<qsizetype>(0, begin - size + 1);
            smaller.numbers.remove(from, begin - from + 1);
            if (!playElsewhere(smaller).ok)
                round = smaller;
        }
    return round;
}

} // namespace headlight::test

#include "rounds.moc"
