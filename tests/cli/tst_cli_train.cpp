// `tasks` and `train`: what they write, what they reject, and that no run is lost.
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <csignal>

using namespace headlight::test;

namespace {

QByteArray textOfLines(int count) {
    QByteArray text;
    for (int i = 0; i < count; ++i)
        text += "line " + QByteArray::number(i) + " of a text\n";
    return text;
}

/// Returns the training run in a session.
QJsonObject runIn(const QByteArray &session) {
    return QJsonDocument::fromJson(session).object()["training"].toObject();
}

} // namespace

class CliTrain : public QObject {
    Q_OBJECT
  private slots:
    void tasks();
    void tasksAsJson();
    void aRunIsASession();
    void aRace();
    void everyFieldOfTheRecipe();
    void theSameAgain();
    void resumedIsStraight();
    void aSessionGoesOn();
    void toStandardOutput();
    void noFlood();
    void ownText();
    void badTexts_data();
    void badTexts();
    void wrongUsage_data();
    void wrongUsage();
    void impossible_data();
    void impossible();
    void aRaceGoesOn();
    void diverged();
    void interrupted_data();
    void interrupted();
    void killed();

  private:
    /// Starts a run that would take hours.
    void begin(QProcess &process, const QString &output) const;

    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliTrain::begin(QProcess &process, const QString &output) const {
    process.setProcessEnvironment(m_program.environment());
    process.setWorkingDirectory(m_program.path("."));
    process.start(m_program.file(),
                  {"train", "previous-token", "--steps", "10000000", "-o", output});
    QVERIFY(started(process));
}

void CliTrain::tasks() {
    const Run run = m_program.run({"tasks"});
    HEADLIGHT_DONE(run);
    for (const char *id : {"repeat", "reverse", "sort", "previous-token", "brackets", "which-bank",
                           "it", "number-words", "sentiment", "addition", "characters", "words"})
        QVERIFY2(run.out.contains(QByteArray("\n") + id + " "), id);
    QCOMPARE(run.out.count('\n'), 13);
}

void CliTrain::tasksAsJson() {
    const Run run = m_program.run({"tasks", "--json"});
    HEADLIGHT_DONE(run);
    const QJsonArray tasks = QJsonDocument::fromJson(run.out).array();
    QCOMPARE(tasks.size(), 12);
    const QJsonObject first = tasks[0].toObject();
    QCOMPARE(first["id"], "repeat");
    QCOMPARE(first["words"].toArray().size(), 27);
    QCOMPARE(first["best"], 1);
    QCOMPARE(first["recipe"].toObject()["task"], "repeat");
}

void CliTrain::aRunIsASession() {
    HEADLIGHT_DONE(m_program.run({"check", "cat"}));
    const Run run = m_program.run({"train", "repeat", "--steps", "20", "-o", "a.headlight"});
    QCOMPARE(run.code, 0);
    QVERIFY(run.out.isEmpty());
    QVERIFY2(run.err.contains("step 20 of 20, loss "), run.err);
    HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
    HEADLIGHT_DONE(m_program.run({"info", "a.headlight"}));
    HEADLIGHT_DONE(m_program.run({"figure", "a.headlight", "--view", "heatmap", "-o", "a.svg"}));
    HEADLIGHT_DONE(m_program.run({"figure", "a.headlight", "--view", "training", "-o", "b.svg"}));
    QCOMPARE(runIn(m_program.read("a.headlight"))["step"], 20);
}

void CliTrain::aRace() {
    const Run run = m_program.run({"train", "sort", "--race", "no-positions", "--steps", "20",
                                   "--batch", "4", "-o", "race.headlight"});
    QCOMPARE(run.code, 0);
    QVERIFY2(run.err.contains("ablated run: loss "), run.err);
    QVERIFY2(run.err.contains("In the literature: without positions"), run.err);
    QVERIFY2(run.err.contains("Held out at step 20: loss "), run.err);
    HEADLIGHT_DONE(m_program.run({"check", "race.headlight"}));
    const QJsonObject ablated = runIn(m_program.read("race.headlight"))["rival"].toObject();
    QCOMPARE(ablated["switch"], "no-positions");
    QCOMPARE(ablated["step"], 20);
    HEADLIGHT_DONE(
        m_program.run({"figure", "race.headlight", "--view", "training", "-o", "race.svg"}));
    QVERIFY(m_program.read("race.svg").contains("without positions"));
    // Both runs continue as if they had never stopped.
    QCOMPARE(m_program.run({"train", "--resume", "race.headlight", "--steps", "24"}).code, 0);
    const QJsonObject further = runIn(m_program.read("race.headlight"));
    QCOMPARE(further["step"], 24);
    QCOMPARE(further["rival"].toObject()["step"], 24);
    HEADLIGHT_REFUSED(m_program.run({"train", "sort", "--race", "no-mask", "--mask", "none", "-o",
                                     "never.headlight"}),
                      1, {"--race", "every token sees later tokens anyway"});
    HEADLIGHT_REFUSED(
        m_program.run({"train", "sort", "--race", "no-scales", "-o", "never.headlight"}), 2,
        {"no-scale"});
    HEADLIGHT_REFUSED(m_program.run({"train", "--resume", "race.headlight", "--race", "no-norm"}),
                      2, {"--race"});
}

void CliTrain::everyFieldOfTheRecipe() {
    const Run run = m_program.run(
        QString("train reverse -o a.headlight --steps 3 --seed 7 --batch 5 --layers 3 --heads 4 "
                "--width 16 --feed-forward 24 --activation relu --positions sinusoidal --norm rms "
                "--residual off --scaling off --mask none --optimizer sgd --learning-rate 0.25 "
                "--beta1 0.5 --beta2 0.75 --epsilon 0.125 --momentum 0.5 --weight-decay 0.0625 "
                "--clip 2 --warm-up 1 --schedule constant")
            .split(' '));
    QCOMPARE(run.code, 0);
    const QJsonObject recipe = runIn(m_program.read("a.headlight"))["recipe"].toObject();
    const QJsonObject expected{{"task", "reverse"},
                               {"architecture", QJsonObject{{"layers", 3},
                                                            {"heads", 4},
                                                            {"width", 16},
                                                            {"feed_forward", 24},
                                                            {"activation", "relu"},
                                                            {"positions", "sinusoidal"},
                                                            {"norm", "rms"},
                                                            {"residual", false},
                                                            {"scaled", false},
                                                            {"masked", false}}},
                               {"optimizer", QJsonObject{{"kind", "sgd"},
                                                         {"learning_rate", 0.25},
                                                         {"beta1", 0.5},
                                                         {"beta2", 0.75},
                                                         {"epsilon", 0.125},
                                                         {"momentum", 0.5},
                                                         {"weight_decay", 0.0625},
                                                         {"clip", 2},
                                                         {"warm_up", 1},
                                                         {"cosine", false}}},
                               {"batch", 5},
                               {"steps", 3},
                               {"seed", 7}};
    for (const QString &field : expected.keys())
        QCOMPARE(recipe[field], expected[field]);
}

void CliTrain::theSameAgain() {
    for (const char *file : {"a.headlight", "b.headlight"})
        QCOMPARE(m_program.run({"train", "it", "--steps", "10", "-o", file}).code, 0);
    QCOMPARE(m_program.read("a.headlight"), m_program.read("b.headlight"));
    QCOMPARE(
        m_program.run({"train", "it", "--steps", "10", "--seed", "2", "-o", "b.headlight"}).code,
        0);
    QVERIFY(m_program.read("a.headlight") != m_program.read("b.headlight"));
}

void CliTrain::resumedIsStraight() {
    const QStringList recipe{"--schedule", "constant", "--batch", "8"};
    for (const char *task : {"repeat", "number-words", "sentiment", "it"}) {
        QCOMPARE(m_program
                     .run(QStringList{"train", task, "--steps", "30", "-o", "straight.headlight"} +
                          recipe)
                     .code,
                 0);
        QCOMPARE(
            m_program
                .run(QStringList{"train", task, "--steps", "12", "-o", "part.headlight"} + recipe)
                .code,
            0);
        QVERIFY(m_program.read("part.headlight") != m_program.read("straight.headlight"));
        QCOMPARE(m_program.run({"train", "--resume", "part.headlight", "--steps", "30"}).code, 0);
        QVERIFY2(m_program.read("part.headlight") == m_program.read("straight.headlight"), task);
    }
}

void CliTrain::aSessionGoesOn() {
    QCOMPARE(m_program.run({"train", "sort", "--steps", "5", "-o", "a.headlight"}).code, 0);
    const QByteArray before = m_program.read("a.headlight");
    const Run run = m_program.run({"train", "a.headlight", "--steps", "9", "-o", "b.headlight"});
    QCOMPARE(run.code, 0);
    QCOMPARE(m_program.read("a.headlight"), before); // read only
    QCOMPARE(runIn(m_program.read("b.headlight"))["step"], 9);
}

void CliTrain::toStandardOutput() {
    const Run run = m_program.run({"train", "sort", "--steps", "5", "-o", "-"});
    QCOMPARE(run.code, 0);
    QCOMPARE(runIn(run.out)["step"], 5);
}

void CliTrain::noFlood() {
    const Run run =
        m_program.run({"train", "previous-token", "--steps", "300", "-o", "a.headlight"});
    QCOMPARE(run.code, 0);
    QVERIFY(run.err.count('\n') <= 10);
    QVERIFY(run.err.count('\n') >= 5);
    QVERIFY(!run.err.contains('\r'));
    for (const QByteArray &line : run.err.trimmed().split('\n')) {
        QVERIFY2(line.startsWith("headlight: step "), line);
        QVERIFY2(line.contains("steps per second"), line);
        QCOMPARE(line.contains(" left"), !line.contains("step 300 of")); // remaining time
    }
}

void CliTrain::ownText() {
    m_program.write("text.txt", textOfLines(200));
    for (const QString task : {"characters", "words"}) {
        const Run run = m_program.run({"train", task, "--text-file", "text.txt", "--steps", "3",
                                       "--batch", "4", "-o", "a.headlight"});
        QCOMPARE(run.code, 0);
        HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
        // Typed text is tokenized like the training text.
        HEADLIGHT_DONE(m_program.run(
            {"figure", "a.headlight", "--text", "line 3 of", "--view", "heatmap", "-o", "a.svg"}));
        const Run info = m_program.run({"info", "a.headlight", "--text", "line 3 of", "--json"});
        QCOMPARE(QJsonDocument::fromJson(info.out).object()["lengths"].toArray()[0].toInt(),
                 task == "words" ? 3 : 9);
        if (task == "characters") // a sequence has several answers, each counted separately
            QVERIFY2(run.err.contains("accuracy of single answers"), run.err);
        // The other text has other words.
        m_program.write("other.txt", QByteArray("so und so, ").repeated(300));
        HEADLIGHT_REFUSED(m_program.run({"train", "--resume", "a.headlight", "--steps", "5",
                                         "--text-file", "other.txt"}),
                          1, {"other.txt", "not the text"});
        // The session contains the text.
        QCOMPARE(m_program.run({"train", "--resume", "a.headlight", "--steps", "5"}).code, 0);
        QCOMPARE(runIn(m_program.read("a.headlight"))["step"], 5);
        QCOMPARE(runIn(m_program.read("a.headlight"))["text"].toString().toUtf8(),
                 textOfLines(200));
    }
    // A text that is too large for the session must be given again.
    m_program.write("large.txt", textOfLines(110'000));
    QCOMPARE(m_program
                 .run({"train", "characters", "--text-file", "large.txt", "--steps", "1", "--batch",
                       "1", "-o", "b.headlight"})
                 .code,
             0);
    QVERIFY(!runIn(m_program.read("b.headlight")).contains("text"));
    HEADLIGHT_REFUSED(m_program.run({"train", "--resume", "b.headlight", "--steps", "2"}), 1,
                      {"--text-file"});
    QCOMPARE(
        m_program
            .run({"train", "--resume", "b.headlight", "--steps", "2", "--text-file", "large.txt"})
            .code,
        0);
}

void CliTrain::badTexts_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("mentions");
    QTest::newRow("empty") << QByteArray() << "it is empty";
    QTest::newRow("binary") << textOfLines(100) + '\0' << "zero";
    QTest::newRow("not UTF-8") << textOfLines(100) + "\xC3("
                               << "UTF-8";
    QTest::newRow("one letter") << QByteArray("a") << "only character";
    QTest::newRow("one letter, again") << QByteArray(5000, 'a') << "only character";
    QTest::newRow("short") << QByteArray("ab") << "650";
    QTest::newRow("ten gigabytes") << QByteArray("10 GB") << "larger than 16 MB";
}

void CliTrain::badTexts() {
    QFETCH(QByteArray, text);
    QFETCH(QString, mentions);
    m_program.write("text.txt", text);
    if (text == "10 GB") { // a sparse file, which takes no space
        QFile file(m_program.path("text.txt"));
        QVERIFY(file.open(QIODevice::ReadWrite) && file.resize(Q_INT64_C(10) << 30));
    }
    HEADLIGHT_REFUSED(
        m_program.run({"train", "characters", "--text-file", "text.txt", "-o", "never.headlight"}),
        1, {"text.txt", mentions});
    QVERIFY(!m_program.has("never.headlight"));
    QFile::remove(m_program.path("text.txt"));
}

void CliTrain::wrongUsage_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const QString &line, const QStringList &mentions) {
        QTest::newRow(qPrintable(line)) << line.split(' ') << mentions;
    };
    row("train", {"task"});
    row("train repeat", {"-o FILE"});
    row("train repaet -o never.headlight", {"repeat"});
    row("train repeat it -o never.headlight", {"it", "unexpected argument"});
    row("train repeat --resume b.headlight -o never.headlight", {"repeat", "--resume"});
    row("train --resume b.headlight --layers 3", {"--layers"});
    row("train b.headlight --seed 3 -o never.headlight", {"--seed"});
    row("train characters -o never.headlight", {"--text-file"});
    row("train repeat --text-file a.txt -o never.headlight", {"--text-file", "repeat"});
    row("train repeat --steps many -o never.headlight", {"--steps", "many"});
    row("train repeat --steps 0 -o never.headlight", {"--steps 0", "from 1 to 10000000"});
    row("train repeat --feed-forward 100000 -o never.headlight", {"--feed-forward", "65536"});
    row("train repeat --learning-rate 0 -o never.headlight", {"--learning-rate", "than 0"});
    row("train repeat --residual yes -o never.headlight", {"--residual yes", "on, off"});
    row("train repeat --positions here -o never.headlight", {"--positions", "rotary"});
    row("train repeat --norm yes -o never.headlight", {"--norm", "rms"});
    row("train repeat --stage weights -o never.headlight", {"stage"});
    row("tasks repeat", {"unexpected argument"});
}

void CliTrain::wrongUsage() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(words), 2, mentions);
    QVERIFY(!m_program.has("never.headlight"));
}

void CliTrain::impossible_data() {
    QTest::addColumn<QStringList>("words");
    QTest::addColumn<QStringList>("mentions");
    const auto row = [](const QString &line, const QStringList &mentions) {
        QTest::newRow(qPrintable(line)) << line.split(' ') << mentions;
    };
    row("train repeat --heads 5 -o never.headlight", {"--heads", "divides"});
    row("train repeat --width 16000 --layers 200 -o never.headlight", {"--width"});
    row("train repeat -o no/such/folder/a.headlight", {"no/such/folder"});
    row("train --resume nothing.headlight", {"nothing.headlight"});
}

void CliTrain::impossible() {
    QFETCH(QStringList, words);
    QFETCH(QStringList, mentions);
    HEADLIGHT_REFUSED(m_program.run(words), 1, mentions);
    QVERIFY(!m_program.has("never.headlight"));
}

void CliTrain::aRaceGoesOn() {
    const QStringList race{"--race", "no-norm", "--schedule", "constant"};
    QCOMPARE(
        m_program.run(QStringList{"train", "repeat", "--steps", "9", "-o", "a.headlight"} + race)
            .code,
        0);
    QCOMPARE(runIn(m_program.read("a.headlight"))["rival"].toObject()["switch"], "no-norm");
    const Run more = m_program.run({"train", "--resume", "a.headlight", "--steps", "15"});
    QCOMPARE(more.code, 0);
    QCOMPARE(runIn(m_program.read("a.headlight"))["rival"].toObject()["step"], 15);
    QCOMPARE(
        m_program.run(QStringList{"train", "repeat", "--steps", "15", "-o", "b.headlight"} + race)
            .code,
        0);
    QVERIFY(m_program.read("a.headlight") == m_program.read("b.headlight"));
}

void CliTrain::diverged() {
    // Trains normally first, then with a far too large learning rate.
    QCOMPARE(m_program.run({"train", "repeat", "--steps", "20", "-o", "a.headlight"}).code, 0);
    const Run run = m_program.run({"train", "--resume", "a.headlight", "--steps", "2000",
                                   "--learning-rate", "1000", "--warm-up", "0"});
    QCOMPARE(run.code, 1);
    QVERIFY2(run.err.contains("a.headlight contains the best recorded state"), run.err);
    QVERIFY2(run.err.contains("the loss became NaN or infinite"), run.err);
    // The file has the last valid checkpoint and can be opened.
    HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
    QCOMPARE(runIn(m_program.read("a.headlight"))["step"], 20);
}

void CliTrain::interrupted_data() {
    QTest::addColumn<int>("signal");
    QTest::addColumn<int>("code");
    QTest::newRow("Ctrl-C") << SIGINT << 130;
    QTest::newRow("asked to end") << SIGTERM << 143;
    QTest::newRow("the terminal has gone") << SIGHUP << 129;
}

void CliTrain::interrupted() {
    QFETCH(int, signal);
    QFETCH(int, code);
    QFile::remove(m_program.path("a.headlight"));
    QProcess process;
    begin(process, "a.headlight");
    QVERIFY(until([&] { return expectsInterrupts(process); }));
    endsWithin(process, 700);
    ::kill(static_cast<pid_t>(process.processId()), signal);
    QVERIFY(finished(process));
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), code);
    HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
    const int step = runIn(m_program.read("a.headlight"))["step"].toInt();
    QVERIFY(process.readAllStandardError().contains("--resume a.headlight"));
    const Run more =
        m_program.run({"train", "--resume", "a.headlight", "--steps", QString::number(step + 1)});
    QCOMPARE(more.code, 0);
    QCOMPARE(runIn(m_program.read("a.headlight"))["step"], step + 1);
}

/// After SIGKILL, the last autosave is complete.
void CliTrain::killed() {
    QFile::remove(m_program.path("a.headlight"));
    QProcess process;
    begin(process, "a.headlight");
    QVERIFY(until([&] { return m_program.has("a.headlight"); }));
    process.kill();
    QVERIFY(finished(process));
    HEADLIGHT_DONE(m_program.run({"check", "a.headlight"}));
    QVERIFY(runIn(m_program.read("a.headlight"))["step"].toInt() > 0);
}

HEADLIGHT_GUILESS_TEST(CliTrain)
#include "tst_cli_train.moc"
