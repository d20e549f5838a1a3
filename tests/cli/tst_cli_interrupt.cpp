// Ctrl-C: exit code 130, no output and no temporary file; an existing file stays unchanged.
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"

#include <QProcess>

#include <csignal>

using namespace headlight::test;

class CliInterrupt : public QObject {
    Q_OBJECT
  private slots:
    void stopped_data();
    void stopped();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliInterrupt::stopped_data() {
    QTest::addColumn<QStringList>("words");
    const QString longText = QString("word ").repeated(4000);
    QTest::newRow("computing") << QStringList{"trace",         "cat",    "-o",
                                              "a.safetensors", "--text", longText};
    QTest::newRow("computing for a figure")
        << QStringList{"figure", "cat", "-o", "a.png", "--text", longText};
    QTest::newRow("painting") << QStringList{"figure", "cat",    "-o",
                                             "a.png",  "--size", "15000x15000"};
    QTest::newRow("waiting for a text")
        << QStringList{"figure", "cat", "-o", "a.png", "--text", "-"};
    QTest::newRow("waiting for a reader")
        << QStringList{"figure", "cat", "-o", "pipe", "--format", "png"};
}

void CliInterrupt::stopped() {
    QFETCH(QStringList, words);
    const bool piped = words.contains("pipe");
    QStringList before;
    if (piped) {
        before = QStringList{"pipe"};
        QCOMPARE(m_program.shell("mkfifo pipe").code, 0);
    } else {
        before = QStringList{words[3]};
        m_program.write(words[3], "precious");
    }
    int stopped = 0;
    for (const int milliseconds : {0, 20, 100, 400}) {
        QProcess process;
        process.setProcessEnvironment(m_program.environment());
        process.setWorkingDirectory(m_program.path("."));
        process.start(m_program.file(), words);
        QVERIFY(started(process));
        QVERIFY(until([&] { return expectsInterrupts(process); }));
        if (!endsWithin(process, milliseconds)) {
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(finished(process));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            if (process.exitCode() == 0 && !piped) { // finished just before the signal arrived
                QVERIFY(m_program.read(words[3]) != QByteArray("precious"));
                m_program.write(words[3], "precious");
                continue;
            }
            QCOMPARE(process.exitCode(), 130);
            QCOMPARE(process.readAllStandardError(), QByteArray());
            QCOMPARE(m_program.listing(), before);
            if (!piped)
                QCOMPARE(m_program.read(words[3]), QByteArray("precious"));
            ++stopped;
        }
    }
    QVERIFY(QFile::remove(m_program.path(before.first())));
    if (stopped == 0)
        QSKIP("this machine is faster than the signal");
}

HEADLIGHT_GUILESS_TEST(CliInterrupt)
#include "tst_cli_interrupt.moc"
