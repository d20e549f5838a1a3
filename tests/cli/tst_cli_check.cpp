// `check`: valid and broken files, and the report of every problem.
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QRegularExpression>

using headlight::test::Program;
using headlight::test::Run;

class CliCheck : public QObject {
    Q_OBJECT
  private slots:
    void initTestCase();
    void good();
    void everyProblemIsListed();
    void warnings();
    void severalFiles();
    void strangeFiles_data();
    void strangeFiles();
    void captures();
    void sessionsThatCannotBeOpened();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliCheck::initTestCase() {
    const QByteArray good = headlight::ui::lessonFile("cat");
    m_program.write("good.headlight", good);
    QByteArray broken = good;
    broken.replace("\"heads\": 2", "\"heads\": -2")
        .replace("\"temperature\": 1", "\"temperature\": \"hot\"");
    QVERIFY(broken != good);
    m_program.write("broken.headlight", broken);
}

void CliCheck::good() {
    const Run run = m_program.run({"check", "good.headlight"});
    HEADLIGHT_DONE(run);
    QCOMPARE(run.out, QByteArray("good.headlight: good\n"));
    const Run lessons = m_program.run(QStringList{"check"} + headlight::ui::lessonIds());
    HEADLIGHT_DONE(lessons);
    QCOMPARE(lessons.out.count(": good\n"), headlight::ui::lessonIds().size());
    QStringList sessions{"check"};
    for (const QFileInfo &file : QDir(HEADLIGHT_SESSIONS).entryInfoList({"*.headlight"}))
        sessions << file.filePath();
    QVERIFY(sessions.size() > 8);
    const Run transformers = m_program.run(sessions);
    HEADLIGHT_DONE(transformers);
    QCOMPARE(transformers.out.count(": good\n"), sessions.size() - 1);
}

void CliCheck::everyProblemIsListed() {
    const Run run = m_program.run({"check", "broken.headlight"});
    HEADLIGHT_REFUSED(run, 1, {"check"});
    QVERIFY2(run.out.contains("broken.headlight: model.heads: "), run.out);
    QVERIFY2(run.out.contains("broken.headlight: model.temperature: "), run.out);
    for (const QByteArray &line : run.out.trimmed().split('\n'))
        QVERIFY2(line.startsWith("broken.headlight: "), line);
}

void CliCheck::warnings() {
    const QByteArray good = headlight::ui::lessonFile("cat");
    QByteArray top = good, inModel = good, view = good;
    top.replace("\"batch\":", "\"mask\": [], \"batch\":");
    inModel.replace("\"temperature\": 1", "\"temprature\": 2");
    view.replace("\"batch\":", "\"now\": {\"show\": {\"query\": 900}}, \"batch\":");
    m_program.write("top.headlight", top);
    m_program.write("in_model.headlight", inModel);
    m_program.write("view.headlight", view);
    const Run odd = m_program.run({"check", "top.headlight", "view.headlight"});
    HEADLIGHT_DONE(odd);
    QVERIFY2(odd.out.contains("top.headlight: warning: mask: "), odd.out);
    QVERIFY2(odd.out.contains("did you mean \"masks\"?\ntop.headlight: good\n"), odd.out);
    QVERIFY2(odd.out.contains("view.headlight: warning: now.show.query: "), odd.out);
    const Run wrong = m_program.run({"check", "in_model.headlight"});
    HEADLIGHT_REFUSED(wrong, 1, {"check"});
    QVERIFY2(wrong.out.contains("in_model.headlight: model.temprature: "), wrong.out);
    QVERIFY2(wrong.out.contains("did you mean \"temperature\"?"), wrong.out);
    // `info` reads all of them and gives the same warnings.
    for (const char *file : {"top.headlight", "in_model.headlight", "view.headlight"})
        for (const QStringList &more : {QStringList(), QStringList("--json")}) {
            const Run info = m_program.run(QStringList{"info", file} + more);
            HEADLIGHT_DONE(info);
            QVERIFY2(info.out.contains(file == QLatin1String("view.headlight") ? "now.show.query: "
                                                                               : "did you mean "),
                     info.out);
        }
}

void CliCheck::severalFiles() {
    const Run run = m_program.run(
        {"check", "good.headlight", "broken.headlight", "missing.headlight", "bank", "./nowhere"});
    HEADLIGHT_REFUSED(run, 1);
    QVERIFY(run.out.startsWith("good.headlight: good\n"));
    QVERIFY(run.out.contains("\nmissing.headlight: "));
    QVERIFY(run.out.contains("\nbank: good\n"));
    QVERIFY(run.out.contains("\n./nowhere: "));
    HEADLIGHT_DONE(m_program.run({"check", "good.headlight", "bank"}));
}

void CliCheck::strangeFiles_data() {
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("not JSON") << QByteArray("hello");
    QTest::newRow("not an object") << QByteArray("[]");
    QTest::newRow("no version") << QByteArray("{}");
    QTest::newRow("another version") << QByteArray(R"({"headlight": 2})");
    QTest::newRow("a key twice") << QByteArray(R"({"headlight": 1, "title": "a", "title": "b"})");
    QTest::newRow("deep") << QByteArray(100000, '[');
    QTest::newRow("truncated") << headlight::ui::lessonFile("cat").left(500);
    QTest::newRow("not UTF-8") << QByteArray("{\"headlight\": 1, \"title\": \"\xff\"}");
    QTest::newRow("zeros") << QByteArray(1000, '\0');
}

void CliCheck::strangeFiles() {
    QFETCH(QByteArray, bytes);
    m_program.write("strange.headlight", bytes);
    const Run run = m_program.run({"check", "strange.headlight"});
    HEADLIGHT_REFUSED(run, 1);
    QVERIFY(run.out.startsWith("strange.headlight: "));
    QVERIFY(run.out.endsWith('\n'));
    HEADLIGHT_REFUSED(m_program.run({"info", "strange.headlight"}), 1, {"strange.headlight"});
    HEADLIGHT_REFUSED(m_program.run({"figure", "strange.headlight", "-o", "a.png"}), 1,
                      {"strange.headlight"});
    QVERIFY(!m_program.has("a.png"));
}

void CliCheck::captures() {
    HEADLIGHT_DONE(m_program.run({"trace", "cat", "-o", "cat.safetensors"}));
    HEADLIGHT_DONE(m_program.run({"check", "cat.safetensors"}));
    m_program.write("cut.safetensors", m_program.read("cat.safetensors").chopped(1));
    m_program.write("empty.safetensors", "");
    QDir(m_program.path(".")).mkdir("folder");
    const Run run = m_program.run({"check", "cat.safetensors", "cut.safetensors",
                                   "empty.safetensors", "none.safetensors", "folder"});
    HEADLIGHT_REFUSED(run, 1);
    QVERIFY(run.out.startsWith("cat.safetensors: good\ncut.safetensors: "));
    QVERIFY(run.out.contains("\nempty.safetensors: "));
    QVERIFY(run.out.contains("\nnone.safetensors: "));
    QVERIFY(run.out.contains("\nfolder: it has no config.json")); // nor a lesson
}

void CliCheck::sessionsThatCannotBeOpened() {
    // One line with the file, the field and the expected value.
    const Run run = m_program.run({"info", "broken.headlight"});
    HEADLIGHT_REFUSED(run, 1, {"broken.headlight", "model.", "expected"});
    HEADLIGHT_REFUSED(m_program.run({"figure", "broken.headlight", "-o", "a.png"}), 1,
                      {"broken.headlight", "model."});
}

HEADLIGHT_APPLESS_TEST(CliCheck)
#include "tst_cli_check.moc"
