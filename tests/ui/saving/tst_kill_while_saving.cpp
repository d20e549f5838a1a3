// A program killed while saving: the session file and the recovery file are always complete. The
// killed program is this test, started again with "save" or "recover".
#include "tests/support/edits.h"
#include "tests/ui/window/session_files.h"
#include "ui/window/saving/session_saver.h"

#include <QDir>
#include <QProcess>

#include <random>

using namespace headlight;
using test::readAll;
using test::sessionFile;

namespace {

constexpr int kTexts = 4;

/// Returns texts of different lengths, so that a mix of two files is invalid.
QString text(int which) {
    return QString("number %1 ").arg(which) + QString("word ").repeated(which * 400) + "end";
}

struct Writer {
    ui::Document document;
    ui::SessionSaver keeper{document, [] { return QString("whole"); }};
    explicit Writer(const QString &path) { document.open(test::opened(path)); }
    void make(int which) {
        const int gesture = document.newGesture();
        if (!test::typeText(document, text(which % kTexts), ui::InputSide::Own, gesture).ok())
            qFatal("the text was refused");
    }
    std::string bytes() const { return document.snapshot("whole").bytes(); }
};

int runChild(const QString &what, const QString &path) {
    Writer writer(path);
    for (int round = 0;; ++round) {
        writer.make(round);
        const bool done =
            what == "save" ? writer.keeper.save(path).ok() : writer.keeper.autosave().writeNow();
        if (!done)
            return 1;
        if (round == 0) {
            std::puts("begun");
            std::fflush(stdout);
        }
    }
}

/// Returns all valid contents of the child's files.
QList<QByteArray> wholeContents(const QString &path) {
    QList<QByteArray> whole;
    Writer writer(path);
    for (int which = 0; which < kTexts; ++which) {
        writer.make(which);
        whole << QByteArray::fromStdString(writer.bytes());
    }
    return whole;
}

} // namespace

class KillTest : public QObject {
    Q_OBJECT

    /// Starts the child, and kills it at a random time after its first write.
    void startAndKill(const QString &what, const QString &path, std::mt19937 &random) {
        QProcess child;
        child.start(QCoreApplication::applicationFilePath(), {what, path});
        QVERIFY(test::hasSaidSomething(child));
        test::letPass(static_cast<int>(1 + random() % 25));
        for (volatile auto spin = random() % 200000; spin > 0;)
            spin = spin - 1; // varies the delay by less than a millisecond
        child.kill();
        QVERIFY(test::finished(child));
        QVERIFY2(child.exitStatus() == QProcess::CrashExit, child.readAllStandardError());
    }

  private slots:
    void theFileIsAlwaysWhole() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        const QByteArray original = readAll(path);
        const QList<QByteArray> whole = wholeContents(path);
        std::mt19937 random(1);
        for (int round = 0; round < 40; ++round) {
            test::writeAll(path, original);
            startAndKill("save", path, random);
            const QByteArray found = readAll(path);
            QVERIFY2(whole.contains(found), test::said("round %1: %2 bytes", round, found.size()));
        }
        // A later save removes temporary files that a killed process has left.
        const QDir there(folder.path());
        for (const QString &name : there.entryList({".headlight-*"}, QDir::Files | QDir::Hidden)) {
            QFile left(there.filePath(name));
            QVERIFY(left.open(QIODevice::ReadWrite));
            QVERIFY(left.setFileTime(QDateTime::currentDateTime().addSecs(-3600),
                                     QFileDevice::FileModificationTime));
        }
        QVERIFY(Writer(path).keeper.save(path).ok());
        QCOMPARE(there.entryList(QDir::Files | QDir::Hidden),
                 QStringList{QFileInfo(path).fileName()});
    }

    void theRecoveryFileIsAlwaysWholeAndOffered() {
        const QTemporaryDir folder;
        const QString path = sessionFile(folder.path());
        const QByteArray before = readAll(path);
        const QList<QByteArray> whole = wholeContents(path);
        std::mt19937 random(2);
        for (int round = 0; round < 20; ++round) {
            startAndKill("recover", path, random);
            const std::vector<ui::RecoverableSession> found = ui::abandonedWork();
            QCOMPARE(found.size(), std::size_t(1));
            QVERIFY(whole.contains(readAll(found[0].path)));
            QCOMPARE(found[0].origin.source, path);
            QVERIFY(found[0].origin.file == ui::identityOnDisk(path));
            ui::remove(found[0]);
            QVERIFY(QDir(ui::recoveryFolder()).entryList(QDir::Files | QDir::Hidden).isEmpty());
        }
        QCOMPARE(readAll(path), before);
    }
};

int main(int argc, char **argv) {
    QCoreApplication application(argc, argv);
    QDir(ui::recoveryFolder()).removeRecursively(); // from an earlier run that was killed
    const QStringList words = QCoreApplication::arguments();
    if (words.size() == 3 && (words[1] == "save" || words[1] == "recover"))
        return runChild(words[1], words[2]);
    KillTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_kill_while_saving.moc"
