// Worksheets: the words on the pages with and without answers. More is in scripts/worksheet.cli.
#include "process.h"
#include "tests/support/test_main.h"
#include "tests/support/waiting.h"
#include "ui/document/lesson_catalogue.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>

using namespace headlight::test;

namespace {

QJsonObject documentOf(const QString &lesson) {
    return QJsonDocument::fromJson(headlight::ui::lessonFile(lesson)).object();
}

QByteArray bytesOf(const QJsonObject &document) {
    return QJsonDocument(document).toJson();
}

} // namespace

class CliWorksheet : public QObject {
    Q_OBJECT
  private slots:
    /// Creates a lesson whose step 4 has a question.
    void initTestCase() {
        QJsonObject document = documentOf("bank");
        document["headlight"] = 2;
        QJsonObject lesson = document["lesson"].toObject();
        QJsonArray steps = lesson["steps"].toArray();
        QJsonObject step = steps[4].toObject();
        step["question"] = QJsonObject{
            {"text",
             "Which word does *bank* listen to, {weights 0 0 bank money} or {weights 0 0 bank "
             "bank}?"},
            {"answers",
             QJsonArray{QJsonObject{{"text", "To itself & to <nobody>"},
                                    {"if", "weights 0 0 bank bank > weights 0 0 bank money"}},
                        QJsonObject{{"text", "To **money**"},
                                    {"if", "weights 0 0 bank money > weights 0 0 bank bank"}}}}};
        steps[4] = step;
        lesson["steps"] = steps;
        document["lesson"] = lesson;
        m_program.write("asks.headlight", bytesOf(document));
        lesson["steps"] = QJsonArray{steps[0]};
        document["lesson"] = lesson;
        m_program.write("nothing.headlight", bytesOf(document));
        document.remove("lesson");
        m_program.write("session.headlight", bytesOf(document));
    }

    void pages() {
        if (!m_hasPoppler)
            QSKIP("pdftotext is not installed");
        HEADLIGHT_DONE(worksheet("bank", "bank.pdf"));
        const QString text = textOf("bank.pdf");
        QVERIFY2(text.contains("One word, two meanings"), qPrintable(text));
        QVERIFY(text.contains("Name") && text.contains("Date"));
        QVERIFY(text.contains("round to two decimals"));
        QVERIFY(text.contains("Scores: a query meets the keys"));
        QVERIFY(!text.contains("Answers"));
        QVERIFY(text.contains("3.15")); // a query, which is given at step 2
        const int count = static_cast<int>(text.count('\f'));
        QVERIFY(count >= 1);
        for (int page = 1; page <= count; ++page)
            QVERIFY(text.contains(QString("Page %1 of %2").arg(page).arg(count)));
        // Step 9 repeats the queries of step 2 and has no task.
        QVERIFY(!text.contains("Step 9"));
    }

    /// The answers are the trace's values. Given values are on both sheets.
    void answers() {
        if (!m_hasPoppler)
            QSKIP("pdftotext is not installed");
        HEADLIGHT_DONE(worksheet("bank", "bank.pdf"));
        HEADLIGHT_DONE(worksheet("bank --answers", "answers.pdf"));
        const QString text = textOf("bank.pdf"), answers = textOf("answers.pdf");
        QVERIFY(answers.contains("Answers"));
        QCOMPARE(text.count('\f'), answers.count('\f'));
        const auto numbers = [](const QString &of) {
            return of.count(QRegularExpression("\\d\\.\\d\\d"));
        };
        QVERIFY(numbers(answers) > numbers(text));
        // A query and a softmax, computed by hand: (3, 0.3) · (1, 0.5; 0.5, 1) …
        QCOMPARE(answers.count("3.15"), text.count("3.15") + 1);
        QVERIFY(answers.contains("0.97"));
        // An answer of step 7, which no later step shows.
        QVERIFY(answers.contains("0.91") || answers.contains("2.6"));
    }

    void questions() {
        if (!m_hasPoppler)
            QSKIP("pdftotext is not installed");
        HEADLIGHT_DONE(worksheet("asks.headlight", "asks.pdf"));
        HEADLIGHT_DONE(worksheet("asks.headlight --answers", "told.pdf"));
        const QString text = textOf("asks.pdf").simplified();
        QVERIFY2(text.contains("Which word does bank listen to, 0.80 or 0.20?"), qPrintable(text));
        QVERIFY(text.contains("To itself & to <nobody>"));
        QVERIFY(text.contains("To money"));
        // Only the tick is new; the words are the same, except for the computed values.
        QVERIFY(m_program.read("asks.pdf") != m_program.read("told.pdf"));
    }

    /// The goals, and for the teacher the solution.
    void exercises() {
        if (!m_hasPoppler)
            QSKIP("pdftotext is not installed");
        QJsonObject document = documentOf("bank");
        document["headlight"] = 2;
        QJsonObject lesson = document["lesson"].toObject();
        QJsonObject step = lesson["steps"].toArray()[0].toObject();
        step["exercise"] = QJsonObject{
            {"text", "Let *bank* listen to itself & <nobody>."},
            {"goals", QJsonArray{QJsonObject{{"text", "more than {weights 0 0 bank bank}"},
                                             {"if", "weights 0 0 bank bank > 0.5"}}}},
            {"solution",
             QJsonObject{{"parameters", QJsonArray{QJsonObject{
                                            {"parameter", "layers.0.self_attention.query"},
                                            {"cells", QJsonArray{QJsonArray{0, 1, -2.5}}}}}}}}};
        lesson["steps"] = QJsonArray{step};
        document["lesson"] = lesson;
        m_program.write("turn.headlight", bytesOf(document));
        HEADLIGHT_DONE(worksheet("turn.headlight", "turn.pdf"));
        HEADLIGHT_DONE(worksheet("turn.headlight --answers", "turned.pdf"));
        const QString text = textOf("turn.pdf").simplified();
        const QString answers = textOf("turned.pdf").simplified();
        QVERIFY2(text.contains("Your turn"), qPrintable(text));
        QVERIFY(text.contains("Let bank listen to itself & <nobody>."));
        QVERIFY(text.contains("more than 0.20"));
        QVERIFY(!text.contains("row 0"));
        QVERIFY2(answers.contains(QRegularExpression("row 0, column 1 is .?2\\.5")),
                 qPrintable(answers));
    }

    /// A session that is no lesson has tasks for the stages of its attention.
    void ofASession() {
        HEADLIGHT_DONE(worksheet("session.headlight", "session.pdf"));
        if (!m_hasPoppler)
            QSKIP("pdftotext is not installed");
        const QString text = textOf("session.pdf");
        for (const char *stage : {"queries", "keys", "values", "scores", "attention weights"})
            QVERIFY2(text.contains(stage), stage);
    }

    void nothingToCompute() {
        HEADLIGHT_REFUSED(worksheet("nothing.headlight", "x.pdf"), 1, {"by hand"});
        QVERIFY(!m_program.has("x.pdf"));
    }

  private:
    Run worksheet(const QString &words, const QString &file) const {
        return m_program.run(QStringList{"worksheet"} + words.split(' ') + QStringList{"-o", file});
    }

    /// Returns the text of the pages from poppler. Empty if poppler is not installed.
    QString textOf(const QString &file) const {
        QProcess process;
        process.setWorkingDirectory(m_program.path("."));
        process.start("pdftotext", {"-layout", file, "-"});
        return finished(process) ? QString::fromUtf8(process.readAllStandardOutput()) : QString();
    }
    Program m_program{HEADLIGHT_PROGRAM, HEADLIGHT_TEST_SCRATCH};
    bool m_hasPoppler = !QStandardPaths::findExecutable("pdftotext").isEmpty();
};

HEADLIGHT_GUILESS_TEST(CliWorksheet)
#include "tst_cli_worksheet.moc"
