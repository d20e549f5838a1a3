// A full disk and a read-only folder: no partial file, no lost file, and a one-line error.
#include "process.h"
#include "tests/support/test_main.h"

#include <sys/mount.h>
#include <unistd.h>

using namespace headlight::test;

class CliPlaces : public QObject {
    Q_OBJECT
  private slots:
    void aClosedFolder() {
        if (::geteuid() == 0)
            QSKIP("root may write to any folder");
        QVERIFY(QDir(m_program.path(".")).mkdir("closed"));
        QFile::setPermissions(m_program.path("closed"), QFile::ReadOwner | QFile::ExeOwner);
        const Run run = figure("closed/a.png");
        QVERIFY(QDir(m_program.path(".")).rmdir("closed"));
        HEADLIGHT_REFUSED(run, 1, {"closed/a.png", "Permission denied"});
    }

    void aFullDisk() {
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
        const QStringList left =
            QDir(m_program.path("disk"))
                .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
        ::umount(disk.constData());
        QDir(m_program.path(".")).rmdir("disk");
        HEADLIGHT_REFUSED(over, 1, {"disk/kept.png", "No space left"});
        HEADLIGHT_REFUSED(fresh, 1, {"disk/new.png", "No space left"});
        QCOMPARE(kept, QByteArray("precious"));
        QCOMPARE(left, QStringList{"kept.png"});
    }

  private:
    Run figure(const QString &file) const {
        return m_program.run({"figure", "cat", "-o", file, "--format", "png"});
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_APPLESS_TEST(CliPlaces)
#include "tst_cli_places.moc"
