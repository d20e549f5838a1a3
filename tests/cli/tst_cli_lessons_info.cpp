// `lessons`, `info`, and the kinds of sources.
#include "process.h"
#include "tests/support/test_main.h"
#include "ui/document/lesson_catalogue.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using headlight::test::Program;
using headlight::test::Run;

class CliLessonsInfo : public QObject {
    Q_OBJECT
  private slots:
    void lessons();
    void info();
    void infoAsJson();
    void infoOfAnotherText();
    void aFileGoesBeforeALesson();
    void wordsAfterTheDashes();

  private:
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
};

void CliLessonsInfo::lessons() {
    const Run run = m_program.run({"lessons"});
    HEADLIGHT_DONE(run);
    QStringList ids;
    const QStringList lines = QString::fromUtf8(run.out).split('\n');
    QCOMPARE(lines.last(), QString()); // the output ends with a newline
    for (const QString &line : lines.mid(0, lines.size() - 1)) {
        const QStringList columns = line.split('\t');
        const bool isModel = headlight::ui::modelIds().contains(columns[0]);
        QCOMPARE(columns.size(), isModel ? 4 : 2);
        QVERIFY(!columns[1].isEmpty());
        if (isModel) {
            QVERIFY2(columns[2].contains("held-out"), qPrintable(line));
            QVERIFY2(columns[3].startsWith("headlight train "), qPrintable(line));
        }
        ids << columns[0];
    }
    QCOMPARE(ids, headlight::ui::lessonIds() + headlight::ui::modelIds());
    QVERIFY(ids.contains("bank") && ids.contains("exercises") && ids.contains("sentiment"));
}

void CliLessonsInfo::info() {
    for (const QString &id : headlight::ui::lessonIds()) {
        const Run run = m_program.run({"info", id});
        HEADLIGHT_DONE(run);
        QVERIFY(run.out.startsWith("source"));
        for (const char *fact : {"heads", "layers", "tokens", "tokenizer", "memory bytes"})
            QVERIFY2(run.out.contains(fact), fact);
    }
}

void CliLessonsInfo::infoAsJson() {
    const Run run = m_program.run({"info", "--json", "batch"});
    HEADLIGHT_DONE(run);
    QJsonParseError error;
    const QJsonObject facts = QJsonDocument::fromJson(run.out, &error).object();
    QCOMPARE(error.error, QJsonParseError::NoError);
    QCOMPARE(facts["kind"].toString(), "lesson");
    QCOMPARE(facts["sequences"].toInt(), 6);
    QCOMPARE(facts["tokens"].toInt(), 8);
    QCOMPARE(facts["heads"].toInt(), 1);
    QCOMPARE(facts["layers"].toInt(), 1);
    QCOMPARE(facts["lengths"].toArray().size(), 6);
    QCOMPARE(facts["masks"].toArray().first().toString(), "padding");
    QVERIFY(facts["memory_bytes"].toInt() > 0);
}

void CliLessonsInfo::infoOfAnotherText() {
    const auto tokens = [this](const QString &text) {
        const Run run = m_program.run({"info", "cat", "--json", "--text", text});
        return QJsonDocument::fromJson(run.out).object()["tokens"].toInt();
    };
    QCOMPARE(tokens("one two three"), 3);
    QCOMPARE(tokens("one"), 1);
    QCOMPARE(tokens(QString::fromUtf8("👩‍👩‍👧")), 1);
}

void CliLessonsInfo::aFileGoesBeforeALesson() {
    m_program.write("cat", headlight::ui::lessonFile("bank"));
    const auto title = [this](const QString &source) {
        const Run run = m_program.run({"info", "--json", source});
        return QJsonDocument::fromJson(run.out).object()["title"].toString();
    };
    QCOMPARE(title("cat"), "One word, two meanings");
    QCOMPARE(title("./cat"), "One word, two meanings");
    QCOMPARE(title(m_program.path("cat")), "One word, two meanings");
    QFile::remove(m_program.path("cat"));
    QCOMPARE(title("cat"), "Two heads, two questions");
    HEADLIGHT_REFUSED(m_program.run({"info", "./cat"}), 1, {"./cat", "No such file"});
    m_program.write("info", headlight::ui::lessonFile("bank"));
    QCOMPARE(title("./info"), "One word, two meanings");
}

void CliLessonsInfo::wordsAfterTheDashes() {
    m_program.write("-x.headlight", headlight::ui::lessonFile("bank"));
    HEADLIGHT_DONE(m_program.run({"info", "--json", "--", "-x.headlight"}));
    HEADLIGHT_REFUSED(m_program.run({"info", "-x.headlight"}), 2);
    HEADLIGHT_REFUSED(m_program.run({"info", "--", "bank", "--json"}), 2, {"--json"});
}

HEADLIGHT_APPLESS_TEST(CliLessonsInfo)
#include "tst_cli_lessons_info.moc"
