// The teacher's handout of each lesson: its content, its length, and the dialog that prints it.
#include "tests/ui/window/pages_fixture.h"
#include "tests/ui/window/program.h"
#include "ui/document/lesson_handout.h"
#include "ui/document/lesson_worksheet.h"
#include "ui/figures/worksheet/handout_pages.h"
#include "ui/figures/worksheet/worksheet_pages.h"
#include "ui/window/worksheet/handout_dialog.h"

namespace {

struct OpenedHandout : test::PagesFixture<ui::HandoutDialog> {
    explicit OpenedHandout(const QString &source)
        : PagesFixture(source, "handoutProblem", QList<ui::LessonInfo>()) {}
};

} // namespace

class HandoutTest : public test::CleanTest {
    Q_OBJECT
  private slots:
    void everyLessonHasOnePage_data() {
        test::addColumns<QString>({"id"});
        for (const QString &id : ui::lessonIds())
            QTest::newRow(qPrintable(id)) << id;
    }
    void everyLessonHasOnePage() {
        QFETCH(const QString, id);
        const core::Result<core::Session> session = ui::readLesson(id);
        QVERIFY(session.ok());
        const core::Lesson &lesson = *session->lesson;
        QVERIFY2(!lesson.aim.empty(), "the lesson has no aim");
        QVERIFY2(lesson.difficulties.size() >= 2, "the lesson has no difficulties");
        const core::Result<core::Handout> handout = ui::handoutOf(*session, {});
        QVERIFY(handout.ok());
        for (const core::HandoutStep &step : handout->steps)
            QVERIFY2(!step.step.question || step.right, step.step.title.c_str());
        const ui::HandoutText text = ui::handoutText(*handout);
        for (const ui::HandoutLine &line : text.lines)
            QVERIFY2(!line.html.contains(QStringLiteral("…")) && !line.html.contains('{'),
                     qPrintable(line.html));
        std::vector<ui::PackedLesson> lessons;
        lessons.push_back({text, {}});
        for (const ui::SheetOfPaper paper : {ui::SheetOfPaper::A4, ui::SheetOfPaper::Letter})
            QCOMPARE(ui::packPages(lessons, false, paper).size(), std::size_t(1));
    }

    /// The handout marks the answer that the window accepts.
    void theRightAnswersAreMarked() {
        const core::Result<core::Session> session = ui::readLesson("bank");
        const ui::HandoutText text = ui::handoutText(*ui::handoutOf(*session, {}));
        QStringList right;
        for (const ui::HandoutLine &line : text.lines)
            if (line.kind == ui::HandoutLine::Kind::Right)
                right << line.html;
        QCOMPARE(right.size(), 3);
        QVERIFY(right[0].startsWith("The key of <em>money</em>"));
    }

    void withTheWorksheetAndItsAnswers() {
        OpenedHandout opened("bank");
        auto *page = opened.find<QSpinBox>("handoutPage");
        QCOMPARE(page->maximum(), 1);
        auto *answers = opened.find<QCheckBox>("handoutAnswers");
        QVERIFY(!answers->isEnabled());
        QTest::keyClick(opened.find<QCheckBox>("handoutWorksheets"), Qt::Key_Space);
        QVERIFY(page->maximum() > 1);
        QVERIFY(answers->isEnabled());
        page->setValue(2);
        auto *preview = opened.find<QLabel>("handoutPreview");
        const QImage without = preview->pixmap(Qt::ReturnByValue).toImage();
        QTest::keyClick(answers, Qt::Key_Space);
        QVERIFY(preview->pixmap(Qt::ReturnByValue).toImage() != without);
    }

    /// Saves the same bytes as the command, in each format.
    void theCommandsBytes() {
        QTemporaryDir folder;
        for (const QString &extension : {QString("pdf"), QString("html"), QString("txt")}) {
            OpenedHandout opened("bank");
            const QString saved = folder.filePath("saved." + extension);
            opened.dialog.saveTo(saved);
            QCOMPARE(opened.dialog.result(), int(QDialog::Accepted));
            const QString written = folder.filePath("command." + extension);
            (void)test::printedBy({"handout", "bank", "-o", written});
            QVERIFY(!test::readAll(saved).isEmpty());
            QVERIFY2(test::readAll(saved) == test::readAll(written), qPrintable(extension));
        }
    }

    /// A student's sheet has blanks in place of the numbers that are to be found.
    void theWorksheetHasTheTextOfItsSteps() {
        const core::Result<core::Session> session = ui::readLesson("bank");
        const auto state = ui::baseAt(*session, 0);
        const core::Result<core::Worksheet> sheet = ui::worksheetOf(*session, state);
        QVERIFY(sheet.ok());
        const auto wordsOf = [&](bool answers) {
            QString words;
            for (const auto &page : ui::worksheetPages({*sheet}, answers, ui::SheetOfPaper::A4))
                words += page->description() + '\n';
            return words;
        };
        const QString student = wordsOf(false), teacher = wordsOf(true);
        QVERIFY(student.contains("Three matrices answer with three vectors for each word"));
        QVERIFY(student.contains("_____"));
        QVERIFY(!teacher.contains("_____"));
        // The text of a step with a question gives away the answer.
        const QString title = "Explanations of the steps with a question",
                      text = "dot product of one's query and the other's key";
        QVERIFY(!student.contains(title) && !student.contains(text));
        QVERIFY(teacher.indexOf(title) > teacher.lastIndexOf("What is the cosine of their"));
        QVERIFY(teacher.indexOf(text) > teacher.indexOf(title));
        // The matrix of the picture is below a question about it.
        for (const QString &said : {student, teacher}) {
            const qsizetype keys = said.indexOf("the keys are in the picture");
            const qsizetype shares = said.indexOf("With the weights in the picture");
            QVERIFY(keys > 0 && shares > keys);
            QVERIFY(said.indexOf("In the picture. K keys, 2 by 2", keys) < shares);
            QVERIFY(said.indexOf("In the picture. K keys, 2 by 2", keys) > keys);
            QVERIFY(said.indexOf("In the picture. A attention weights, 4 by 4", shares) > shares);
            QVERIFY(said.contains("WQ parameters, 2 by 2"));
            QVERIFY(!said.contains("learned, "));
        }
    }

    void theMenuOffersItForLessons() {
        WindowFixture fixture("bank");
        QVERIFY(fixture.find<QAction>("printHandout")->isEnabled());
        QVERIFY(fixture.find<QAction>("printHandout")->text().contains("teacher"));
    }
};

HEADLIGHT_WIDGET_TEST(HandoutTest)
#include "tst_handout.moc"
