// Commands that are stopped leave no output and no temporary file. An existing file stays
// unchanged, and no training is lost.
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <csignal>

using namespace headlight::test;

namespace {

const QString kRotary = HEADLIGHT_SESSIONS "/decoder_rotary.headlight";

void interrupt(const QProcess &process, int signal = SIGINT) {
    ::kill(static_cast<pid_t>(process.processId()), signal);
}

} // namespace

class CliInterrupt : public QObject {
    Q_OBJECT
  private slots:
    void stopped_data() {
        QTest::addColumn<QStringList>("words");
        const QString longText = QString("word ").repeated(4000);
        const auto row = [](const char *name, const char *line, const QStringList &more = {}) {
            QTest::newRow(name) << QString(line).split(' ') + more;
        };
        row("computing", "trace cat -o a.safetensors --text", {longText});
        row("computing for a figure", "figure cat -o a.png --text", {longText});
        row("painting", "figure cat -o a.png --size 15000x15000");
        row("waiting for a text", "figure cat -o a.png --text -");
        row("waiting for a reader", "figure cat -o pipe --format png");
    }
    void stopped() {
        QFETCH(QStringList, words);
        const bool piped = words.contains("pipe");
        if (piped)
            QCOMPARE(m_program.shell("mkfifo pipe").code, 0);
        else
            m_program.write(words[3], "precious");
        int stopped = 0;
        for (const int milliseconds : {0, 20, 100, 400}) {
            QProcess process;
            start(process, words);
            QVERIFY(until([&] { return expectsInterrupts(process); }));
            if (endsWithin(process, milliseconds))
                continue;
            interrupt(process);
            QVERIFY(finished(process));
            QCOMPARE(process.exitStatus(), QProcess::NormalExit);
            if (process.exitCode() == 0 && !piped) { // ended just before the signal arrived
                QVERIFY(m_program.read(words[3]) != QByteArray("precious"));
                m_program.write(words[3], "precious");
                continue;
            }
            QCOMPARE(process.exitCode(), 130);
            QCOMPARE(process.readAllStandardError(), QByteArray());
            QCOMPARE(m_program.listing(), QStringList{words[3]});
            if (!piped)
                QCOMPARE(m_program.read(words[3]), QByteArray("precious"));
            ++stopped;
        }
        QVERIFY(QFile::remove(m_program.path(words[3])));
        if (stopped == 0)
            QSKIP("this machine is faster than the signal");
    }

    void verify() {
        QProcess process;
        start(process, {"verify", kRotary, "--text", QString("a ").repeated(4000)});
        HEADLIGHT_UNTIL(expectsInterrupts(process));
        interrupt(process);
        QVERIFY(finished(process));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardOutput().isEmpty());
    }

    /// An interrupted `generate` has printed the tokens so far, and ends the line.
    void generate() {
        QProcess process;
        start(process, {"generate", kRotary, "--tokens", "1000000", "--end", "none"});
        QByteArray said;
        while (said.count(' ') < 5 && hasSaidSomething(process))
            said += process.readAllStandardOutput();
        QVERIFY(said.count(' ') >= 5);
        interrupt(process);
        QVERIFY(finished(process));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(process.readAllStandardError(), QByteArray());
        said += process.readAllStandardOutput();
        QVERIFY(said.endsWith('\n'));
        QCOMPARE(said.count('\n'), 1);
    }

    /// The token count is too large to finish, so the run can only end because the file was
    /// truncated.
    void aModelThatIsCutMeanwhile() {
        QCOMPARE(m_program
                     .shell("cp -r '" HEADLIGHT_TEST_DATA "/folders/llama' cut; sed -i "
                            "'s/\"max_position_embeddings\": 32/"
                            "\"max_position_embeddings\": 8000000/' cut/config.json")
                     .code,
                 0);
        QProcess process;
        start(process, {"generate", "cut", "--tokens", "1000000", "--end", "none", "--json"});
        QVERIFY(hasSaidSomething(process));
        QVERIFY(QFile::resize(m_program.path("cut/model.safetensors"), 2000));
        QVERIFY(finished(process));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 1);
        const QByteArray said = process.readAllStandardError();
        QVERIFY2(said.contains("model.safetensors") && said.contains("truncated"),
                 said.constData());
        QVERIFY2(!process.readAllStandardOutput().contains("nan"),
                 "a token was chosen of no numbers");
    }

    void train_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<int>("code");
        QTest::newRow("Ctrl-C") << SIGINT << 130;
        QTest::newRow("asked to end") << SIGTERM << 143;
        QTest::newRow("the terminal has gone") << SIGHUP << 129;
    }
    void train() {
        QFETCH(int, signal);
        QFETCH(int, code);
        QProcess process;
        startTraining(process);
        QVERIFY(until([&] { return expectsInterrupts(process); }));
        endsWithin(process, 700);
        interrupt(process, signal);
        QVERIFY(finished(process));
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), code);
        QVERIFY(process.readAllStandardError().contains("--resume a.headlight"));
        HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
        const int step = trainedStep();
        QCOMPARE(
            m_program
                .run({"train", "--resume", "a.headlight", "--steps", QString::number(step + 1)})
                .code,
            0);
        QCOMPARE(trainedStep(), step + 1);
    }

    /// After SIGKILL, the last autosave is complete.
    void trainingIsKilled() {
        QProcess process;
        startTraining(process);
        QVERIFY(until([&] { return m_program.has("a.headlight"); }));
        process.kill();
        QVERIFY(finished(process));
        HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
        QVERIFY(trainedStep() > 0);
    }

  private:
    void start(QProcess &process, const QStringList &words) const {
        process.setProcessEnvironment(m_program.environment());
        process.setWorkingDirectory(m_program.path("."));
        process.start(m_program.file(), words);
        QVERIFY(started(process));
    }

    /// Starts a run that would take hours.
    void startTraining(QProcess &process) const {
        QFile::remove(m_program.path("a.headlight"));
        start(process, {"train", "previous-token", "--steps", "10000000", "-o", "a.headlight"});
    }

    int trainedStep() const {
        const auto document = QJsonDocument::fromJson(m_program.read("a.headlight"));
        return document["training"]["step"].toInt();
    }

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

HEADLIGHT_GUILESS_TEST(CliInterrupt)
#include "tst_cli_interrupt.moc"
