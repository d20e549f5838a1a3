// Output paths that cannot be written: no partial file, no lost file, and a one-line error.
#include "process.h"
#include "tests/support/test_main.h"

#include <sys/mount.h>
#include <unistd.h>

using namespace headlight::test;

class CliPlaces : public QObject {
    Q_OBJECT
  private slots:
    void missingFolder();
    void foldersThatCannotBeWritten();
    void devices();
    void pipes();
    void fullDisk();
    void linksAndPermissions();
    void standardOutput_data();
    void standardOutput();

  private:
    Run figure(const QString &file) const {
        return m_program.run({"figure", "cat", "-o", file, "--format", "png"});
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliPlaces::missingFolder() {
    HEADLIGHT_REFUSED(figure("no/such/a.png"), 1, {"no/such/a.png", "No such file or folder"});
    HEADLIGHT_REFUSED(m_program.run({"trace", "cat", "-o", "no/a.safetensors"}), 1,
                      {"no/a.safetensors"});
    QVERIFY(QDir(m_program.path(".")).mkdir("folder.png"));
    HEADLIGHT_REFUSED(figure("folder.png"), 1, {"folder.png", "folder"});
    HEADLIGHT_REFUSED(figure("new.png/"), 1, {"new.png/"});
    HEADLIGHT_REFUSED(figure(QString(300, 'x') + ".png"), 1, {"too long"});
    QCOMPARE(m_program.listing(), QStringList{"folder.png"});
    QVERIFY(QDir(m_program.path(".")).rmdir("folder.png"));
}

void CliPlaces::foldersThatCannotBeWritten() {
    HEADLIGHT_REFUSED(figure("/proc/x.png"), 1, {"/proc/x.png"});
    if (::geteuid() == 0)
        return; // root may write to any folder
    QVERIFY(QDir(m_program.path(".")).mkdir("closed"));
    QFile::setPermissions(m_program.path("closed"), QFile::ReadOwner | QFile::ExeOwner);
    const Run run = figure("closed/a.png");
    QVERIFY(QDir(m_program.path(".")).rmdir("closed"));
    HEADLIGHT_REFUSED(run, 1, {"closed/a.png", "Permission denied"});
}

void CliPlaces::devices() {
    HEADLIGHT_REFUSED(figure("/dev/full"), 1, {"/dev/full", "No space left"});
    HEADLIGHT_DONE(figure("/dev/null"));
    QVERIFY(!QFileInfo("/dev/null").isFile());
    const Run run = figure("/dev/stdout");
    HEADLIGHT_DONE(run);
    QVERIFY(run.out.startsWith("\x89PNG"));
}

void CliPlaces::pipes() {
    const Run run = m_program.shell(
        "mkfifo pipe && { cat pipe > copy & } && \"$H\" figure cat -o pipe --format png && wait");
    HEADLIGHT_DONE(run);
    QVERIFY(m_program.read("copy").startsWith("\x89PNG"));
    QCOMPARE(m_program.listing(), (QStringList{"copy", "pipe"}));
    QFile::remove(m_program.path("copy"));
    QFile::remove(m_program.path("pipe"));
}

void CliPlaces::fullDisk() {
    if (::geteuid() != 0)
        QSKIP("only root can mount a small disk");
    QVERIFY(QDir(m_program.path(".")).mkdir("disk"));
    const QByteArray disk = m_program.path("disk").toUtf8();
    if (::mount("tmpfs", disk.constData(), "tmpfs", 0, "size=8k") != 0) {
        QDir(m_program.path(".")).rmdir("disk");
        QSKIP("no disk can be mounted here");
    }
    m_program.write("disk/kept.png", "precious");
    const Run over = figure("disk/kept.png");
    const Run fresh = figure("disk/new.png");
    const QByteArray kept = m_program.read("disk/kept.png");
    const QStringList left = QDir(m_program.path("disk"))
                                 .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    ::umount(disk.constData());
    QDir(m_program.path(".")).rmdir("disk");
    HEADLIGHT_REFUSED(over, 1, {"disk/kept.png", "No space left"});
    HEADLIGHT_REFUSED(fresh, 1, {"disk/new.png", "No space left"});
    QCOMPARE(kept, QByteArray("precious"));
    QCOMPARE(left, QStringList{"kept.png"});
}

void CliPlaces::linksAndPermissions() {
    m_program.write("target.png", "old");
    const QFile::Permissions permissions = QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser |
                                           QFile::WriteUser | QFile::ReadOther;
    QVERIFY(QFile::setPermissions(m_program.path("target.png"), permissions));
    QVERIFY(QFile::link("target.png", m_program.path("link.png")));
    HEADLIGHT_DONE(figure("link.png"));
    QVERIFY(QFileInfo(m_program.path("link.png")).isSymLink());
    QVERIFY(m_program.read("target.png").startsWith("\x89PNG"));
    QVERIFY(QFileInfo(m_program.path("target.png")).permission(QFile::ReadOther));
    QVERIFY(!QFileInfo(m_program.path("target.png")).permission(QFile::ReadGroup));
    QCOMPARE(m_program.listing(), (QStringList{"link.png", "target.png"}));
}

void CliPlaces::standardOutput_data() {
    QTest::addColumn<QString>("command");
    QTest::newRow("lessons") << "lessons";
    QTest::newRow("info") << "info cat";
    QTest::newRow("info as JSON") << "info cat --json";
    QTest::newRow("check") << "check cat";
    QTest::newRow("help") << "--help";
    QTest::newRow("version") << "--version";
    QTest::newRow("figure") << "figure cat -o - --format png";
    QTest::newRow("trace") << "trace cat -o - --format safetensors";
}

void CliPlaces::standardOutput() {
    QFETCH(QString, command);
    const QString run = "\"$H\" " + command;
    HEADLIGHT_REFUSED(m_program.shell(run + " >/dev/full"), 1,
                      {"standard output", "No space left"});
    HEADLIGHT_REFUSED(m_program.shell(run + " >&-"), 1, {"standard output"});
    // Writes after the reader has closed its end.
    HEADLIGHT_REFUSED(m_program.shell("mkfifo gate; { cat gate; " + run +
                                      "; echo $? >code; } | { exec <&-; : >gate; }; rm gate; "
                                      "exit $(cat code)"),
                      1, {"standard output", "pipe"});
    // With all three streams closed there is no message, but the exit code is the same.
    QCOMPARE(m_program.shell(run + " <&- >&- 2>&-").code, 1);
}

HEADLIGHT_APPLESS_TEST(CliPlaces)
#include "tst_cli_places.moc"
