#include "tests/monkey/rounds.h"

#include "core/formats/safetensors/writer.h"
#include "tests/monkey/monkey.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"

#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include <sys/stat.h>

namespace headlight::test {

namespace {

const QString kModel = "llama", kCapture = "capture.safetensors"; // in the round's folder

/// Swallows links that would open other programs.
class Nowhere : public QObject {
    Q_OBJECT
  public slots:
    void open(const QUrl &) {}
};

/// Formats numbers as "0-12,15".
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

void write(const QString &path, const QByteArray &bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// Returns two layers of two heads over five tokens, as another program would write them.
QByteArray capture() {
    std::vector<core::NamedTensor> tensors;
    for (const char *name : {"attentions.0", "attentions.1"}) {
        std::vector<float> weights;
        for (int row = 0; row < 2 * 5; ++row)
            for (int key = 0; key < 5; ++key)
                weights.push_back(key == row % 5 ? 0.5F : 0.125F);
        tensors.push_back({name, {core::Shape{2, 5, 5}, weights}});
    }
    const auto bytes =
        core::safetensorsBytes(tensors, {{"tokens", R"(["The"," cat"," sat"," down","."])"}});
    if (!bytes)
        qFatal("%s", bytes.error().text().c_str());
    return QByteArray::fromStdString(*bytes);
}

/// Writes files that can be opened, and others that cannot.
void layOut(const QDir &folder) {
    for (const QString &name : {QString("home"), QString("empty"), kModel})
        folder.mkdir(name);
    const QDir model(HEADLIGHT_TEST_DATA "/folders/llama");
    for (const QString &name : model.entryList(QDir::Files)) {
        QFile file(model.filePath(name));
        write(folder.filePath(kModel + '/' + name),
              file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray());
    }
    write(folder.filePath(kCapture), capture());
    write(folder.filePath("vectors.txt"), "bank 4 5\nmoney 6 -7.5\n");
    write(folder.filePath("broken.headlight"), R"({"headlight": 1, "title": "cut sh)");
    write(folder.filePath("table.csv"), "1,2\n3,4\n");
    write(folder.filePath("picture.png"), "\x89PNG\r\n\x1a\nand no more");
    ::mkfifo(QFile::encodeName(folder.filePath("pipe")).constData(), 0600);
}

QProcessEnvironment surroundings(const QString &folder, quint64 seed) {
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char *name : {"HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        environment.insert(name, folder + "/home");
    environment.remove("QT_QPA_PLATFORMTHEME"); // no native dialogs
    environment.remove("XDG_CURRENT_DESKTOP");
    environment.insert("HEADLIGHT_AUTOSAVE_MS", "20");
    static const QStringList locales{"C.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"};
    environment.insert("LC_ALL", Dice(seed, -1).of(locales));
    environment.insert("LOCPATH", HEADLIGHT_TEST_LOCALES);
    return environment;
}

} // namespace

QStringList sources() {
    QStringList all = ui::lessonIds();
    const QDir folder(HEADLIGHT_SESSIONS);
    for (const QString &name : folder.entryList({"*.headlight"}, QDir::Files, QDir::Name))
        all << folder.filePath(name);
    return all << kModel << kCapture;
}

QString sourceOf(quint64 seed) {
    if (seed % 3 == 0)
        return seed % 2 == 0 ? kModel : kCapture;
    return sources().at(static_cast<qsizetype>(seed % static_cast<quint64>(sources().size())));
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
    layOut(QDir(folder.path()));
    Round inside = round; // works on copies in its folder, because it overwrites its files
    for (const QString &source : sources())
        if (source.contains('/')) {
            const QString copy = folder.filePath(QFileInfo(source).fileName());
            QFile::copy(source, copy);
            if (source == round.source)
                inside.source = copy;
        }
    QProcess process;
    process.setProcessEnvironment(surroundings(folder.path(), round.seed));
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

/// Drops the actions after the failure, then as many of the earlier ones as possible.
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
