// Writing a lesson in the window, saving it, opening it again and going through it, by mouse and
// keys.
#include "tests/support/edits.h"
#include "tests/ui/window/answers.h"
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/document/lesson_catalogue.h"
#include "ui/panels/lesson_editor/lesson_editor.h"
#include "ui/panels/question_card.h"
#include "ui/window/saving/suggested_name.h"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace headlight;
using test::beginLesson;
using test::click;
using test::lessonOf;
using test::preview;
using test::selectWeight;
using test::showPage;
using test::type;
using test::WindowFixture;

class LessonEditorTest : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    /// The new lesson includes the edits, so nothing would be lost.
    void aNewLessonAsksNothingOfNumbersThatItTakes() {
        WindowFixture fixture("bank", "flow");
        ui::Document &document = fixture.window.document();
        QVERIFY(test::typeText(document, "money by the bank").ok());
        fixture.settle();
        QVERIFY(document.isModified());
        {
            const test::Answer asked("unsavedChanges", "Cancel");
            beginLesson(fixture);
            QCOMPARE(asked.times(), 0);
        }
        QVERIFY(document.source().isEmpty());
        QCOMPARE(document.trace()->batch().length(), 4);
        // The text of one lesson is not copied to another.
        type<QLineEdit>(fixture, "stepTitle", "What a word gives");
        const test::Answer asked("unsavedChanges", "Cancel");
        beginLesson(fixture);
        QCOMPARE(asked.times(), 1);
        QCOMPARE(lessonOf(fixture).steps[0].title, std::string("What a word gives"));
    }

    void aLessonIsWrittenSavedAndReadAgain() {
        QTemporaryDir folder;
        const QString path = folder.filePath("mine.headlight");
        {
            WindowFixture fixture("bank", "flow");
            ui::Document &document = fixture.window.document();
            selectWeight(document, 1, 0);
            beginLesson(fixture);
            QVERIFY(document.source().isEmpty());
            QVERIFY(document.isModified());
            QCOMPARE(lessonOf(fixture).steps.size(), std::size_t(1));
            QVERIFY(document.selection().query == core::Index(1));
            auto *text = fixture.find<QPlainTextEdit>("stepText");
            QCOMPARE(QApplication::focusWidget(), text);
            QTest::keyClicks(text, "*bank* gives *money* ");
            QTest::keyClick(text, Qt::Key_M, Qt::ControlModifier);
            QTest::keyClicks(text, ".");
            QCOMPARE(lessonOf(fixture).steps[0].text,
                     std::vector<std::string>{"*bank* gives *money* {weights 0 0 bank money}."});
            HEADLIGHT_UNTIL(preview(fixture).contains("bank gives money 0.80."));
            type<QLineEdit>(fixture, "stepTitle", "What a word gives");
            auto *steps = fixture.find<QListWidget>("lessonStepList");
            QCOMPARE(steps->item(0)->text(), QString("1. What a word gives"));

            selectWeight(document, 0, 1);
            showPage(fixture, "Lesson");
            steps->setFocus();
            QTest::keyClick(steps, Qt::Key_Insert);
            QCOMPARE(steps->count(), 2);
            QCOMPARE(steps->currentRow(), 1);
            showPage(fixture, "Text");
            type<QLineEdit>(fixture, "stepTitle", "The other way");
            type<QPlainTextEdit>(fixture, "stepText",
                                 "*money* gives *bank* {weights 0 0 money bank}.");
            showPage(fixture, "Question");
            QTest::mouseClick(fixture.find<QCheckBox>("asksQuestion"), Qt::LeftButton, {},
                              QPoint(8, 8));
            type<QPlainTextEdit>(fixture, "questionAsked", "Does *money* listen to *bank*?");
            type<QLineEdit>(fixture, "answerText0", "hardly");
            auto *condition = fixture.find<QLineEdit>("answerIf0");
            condition->setFocus();
            click(fixture, "insertNumber");
            QTest::keyClicks(condition, " < 0.5");
            QCOMPARE(condition->text(), QString("weights 0 0 money bank < 0.5"));
            type<QLineEdit>(fixture, "answerText1", "more than to itself");
            type<QLineEdit>(fixture, "answerIf1", "weights 0 0 money bank > 0.5");
            HEADLIGHT_UNTIL(
                fixture.find<QLabel>("answerHolds1")->text().startsWith(QStringLiteral("✗")));
            QVERIFY(fixture.find<QLabel>("answerHolds0")->text().startsWith(QStringLiteral("✓")));
            QCOMPARE(fixture.find<QLabel>("rightAnswer")->text(),
                     QString("Answer 1 is correct at present"));
            QVERIFY(!fixture.find<ui::QuestionCard>("questionCard")->isVisible());
            showPage(fixture, "Lesson");
            type<QLineEdit>(fixture, "lessonTitle", "Who listens");
            type<QLineEdit>(fixture, "lessonSummary", "Attention has a direction.");
            fixture.find<QSpinBox>("lessonMinutes")->setValue(5);
            type<QLineEdit>(fixture, "lessonNeeds", "bank, cat");
            QVERIFY(fixture.window.windowTitle().contains("Who listens"));

            click(fixture, "checkLesson");
            auto *words = fixture.find<QLabel>("checkWords");
            HEADLIGHT_UNTIL(words->text() != "Checking…");
            QCOMPARE(words->text(), QString("✓ No problems"));
            QVERIFY(fixture.window.saveIn(path));
            QVERIFY(!document.isModified());
        }
        WindowFixture fixture(path, "flow");
        ui::Document &document = fixture.window.document();
        QCOMPARE(document.session().title, std::string("Who listens"));
        QCOMPARE(document.session().lesson->minutes, core::Index(5));
        QCOMPARE(document.session().lesson->needs, (std::vector<std::string>{"bank", "cat"}));
        QVERIFY(document.session().warnings.empty());
        QVERIFY(document.goToStep(0).ok());
        fixture.settle();
        QVERIFY(preview(fixture).contains("bank gives money 0.80."));
        click(fixture, "lessonNext");
        fixture.settle();
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        QVERIFY(card->isVisible());
        card->choose(0);
        QVERIFY(preview(fixture).contains(QStringLiteral("✓ Correct.")));
        QVERIFY(preview(fixture).contains("money gives bank 0."));
        QCOMPARE(document.selection().query.value_or(-1), core::Index(0));
    }

    void stepsAreUndoneThroughTheDocument() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        ui::Document &document = fixture.window.document();
        auto *steps = fixture.find<QListWidget>("lessonStepList");
        showPage(fixture, "Lesson");
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_Insert);
        QTest::keyClick(steps, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(steps->count(), 3);
        type<QLineEdit>(fixture, "stepTitle", "Third");
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(steps->item(1)->text(), QString("2. Third"));
        QCOMPARE(steps->currentRow(), 1);
        QTest::keyClick(steps, Qt::Key_Delete);
        QCOMPARE(steps->count(), 2);
        QTest::keyClick(&fixture.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(steps->count(), 3);
        QCOMPARE(steps->item(1)->text(), QString("2. Third"));
        QTest::keyClick(&fixture.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(steps->item(2)->text(), QString("3. Third"));
        QTest::keyClick(&fixture.window, Qt::Key_Z,
                        Qt::ControlModifier); // undoes all of the typing
        QCOMPARE(steps->item(2)->text(), QString("3. New step"));
        QCOMPARE(fixture.find<QLineEdit>("stepTitle")->text(), QString("New step"));
        document.undoStack().setIndex(0);
        QCOMPARE(steps->count(), 1);
        // Dropping a step moves it, too.
        document.undoStack().setIndex(document.undoStack().count() - 1);
        const auto before = lessonOf(fixture).steps.front().title;
        QVERIFY(steps->model()->moveRow({}, 0, {}, 3));
        QCoreApplication::processEvents();
        QCOMPARE(lessonOf(fixture).steps.back().title, before);
        QCOMPARE(steps->count(), 3);
    }

    void aBuiltInLessonIsCopied() {
        WindowFixture fixture("bank", "flow");
        const std::size_t count = lessonOf(fixture).steps.size();
        fixture.find<QAction>("editLesson")->trigger();
        QVERIFY(fixture.find<QPushButton>("offerLesson")->isVisible());
        QCOMPARE(fixture.window.document().source(), QString("bank"));
        QVERIFY(test::active(fixture.window));
        auto *offer = fixture.find<QPushButton>("offerLesson");
        QCOMPARE(QApplication::focusWidget(), offer);
        QTest::keyClick(offer, Qt::Key_Return);
        fixture.settle();
        ui::Document &document = fixture.window.document();
        QVERIFY(document.source().isEmpty());
        QVERIFY(document.isModified()); // there is no file yet
        QCOMPARE(lessonOf(fixture).steps.size(), count);
        type<QLineEdit>(fixture, "stepTitle", "Mine");
        QCOMPARE(lessonOf(fixture).steps[0].title, std::string("Mine"));
        QVERIFY(core::readSession(ui::lessonFile("bank").toStdString())->lesson->steps[0].title !=
                "Mine");
    }

    void aSessionOffersItsFirstLesson() {
        WindowFixture fixture("induction", "flow");
        fixture.find<QAction>("editLesson")->trigger();
        auto *offer = fixture.find<QPushButton>("offerLesson");
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), QString("New lesson from this session"));
        offer->click();
        fixture.settle();
        QCOMPARE(lessonOf(fixture).steps.size(), std::size_t(1));
        QVERIFY(fixture.find<QPlainTextEdit>("stepText")->isVisible());
    }

    void whatIsWrongIsSaidWhereItIsAndFoundByCheck() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        auto *steps = fixture.find<QListWidget>("lessonStepList");
        click(fixture, "addStepBehind");
        QCOMPARE(steps->currentRow(), 1);
        type<QPlainTextEdit>(fixture, "stepText",
                             "{if weights 0 0 bank bank > 0.5}Itself.{else}*money*.{end}");
        auto *editor = fixture.find<ui::LessonEditor>("lessonEditor");
        const auto problem = [&] {
            QStringList words;
            for (const QLabel *label : editor->findChildren<QLabel *>("fieldProblem"))
                if (label->isVisibleTo(editor))
                    words << label->text();
            return words.join('\n');
        };
        HEADLIGHT_UNTIL(problem().contains("the claim does not hold"));
        HEADLIGHT_UNTIL(
            fixture.find<QTextBrowser>("lessonText")->toHtml().contains("line-through"));
        type<QPlainTextEdit>(fixture, "stepText",
                             "{if 2 < 1}a{end} {keys 0} {weights 0 0 bank river}");
        HEADLIGHT_UNTIL(problem().count('\n') == 2); // one line per problem
        type<QPlainTextEdit>(fixture, "stepText", "{weights 0 0 bank river}");
        HEADLIGHT_UNTIL(problem().contains("river") && !problem().contains('\n'));
        steps->setCurrentRow(0);
        QVERIFY(problem().isEmpty());
        showPage(fixture, "Lesson");
        click(fixture, "checkLesson");
        auto *list = fixture.find<QListWidget>("lessonProblems");
        HEADLIGHT_UNTIL(list->isVisible());
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().contains("lesson.steps[1].text[0]"));
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(fixture.window.document().state().lessonStep, core::Index(1));
        QCOMPARE(QApplication::focusWidget(), fixture.find<QPlainTextEdit>("stepText"));
        type<QPlainTextEdit>(fixture, "stepText", "{weights 0 0 bank money}");
        HEADLIGHT_UNTIL(problem().isEmpty());
        QVERIFY(!list->isVisible()); // it belonged to another text
    }

    void whatIsSeenAndChangedIsTaken() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        ui::Document &document = fixture.window.document();
        showPage(fixture, "Shows");
        fixture.window.showView("heads");
        selectWeight(document, 0, 0);
        click(fixture, "showSeen");
        const core::SelectionPatch show = lessonOf(fixture).steps[0].show;
        QCOMPARE(show.view.value_or(""), std::string("heads"));
        QVERIFY(show.query == core::Index(0) && show.key == core::Index(0));
        auto *set = fixture.find<QPushButton>("setChanged");
        QVERIFY(!set->isEnabled());
        ui::MatrixId query;
        query.parameter = *core::findParameter("layers.0.self_attention.query");
        QVERIFY(document.apply(ui::edits::setCells(document.state(), query, {{0, 0, 3.F}})).ok());
        fixture.settle();
        QVERIFY(set->isEnabled());
        set->click();
        QVERIFY(!document.isEdited());
        QCOMPARE(lessonOf(fixture).steps[0].set.parameters.size(), std::size_t(1));
        showPage(fixture, "Exercise");
        fixture.find<QCheckBox>("setsExercise")->click();
        type<QLineEdit>(fixture, "goalText0", "less");
        type<QLineEdit>(fixture, "goalIf0", "weights 0 0 bank money < 0.5");
        HEADLIGHT_UNTIL(fixture.find<QLabel>("goalHolds0")->text().startsWith(QStringLiteral("✗")));
        QVERIFY(document.apply(ui::edits::setCells(document.state(), query, {{0, 0, -9.F}})).ok());
        fixture.settle();
        QVERIFY(fixture.find<QLabel>("goalHolds0")->text().startsWith(QStringLiteral("✓")));
        click(fixture, "takeSolution");
        QVERIFY(document.resetEdits().ok());
        click(fixture, "checkLesson");
        auto *words = fixture.find<QLabel>("checkWords");
        HEADLIGHT_UNTIL(words->text() != "Checking…");
        QCOMPARE(words->text(), QString("✓ No problems"));
        click(fixture, "trySolution");
        fixture.settle();
        QVERIFY(preview(fixture).contains(QStringLiteral("✓ Solved.")));
    }

    void aStepWithoutATitleSaysSo() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        click(fixture, "addStepBehind");
        auto *title = fixture.find<QLineEdit>("stepTitle");
        title->setFocus();
        title->selectAll();
        QTest::keyClick(title, Qt::Key_Delete);
        QCOMPARE(fixture.find<QListWidget>("lessonStepList")->item(1)->text(),
                 QString("2. (no title)"));
        QVERIFY(fixture.window.document().goToStep(0).ok());
        QCOMPARE(fixture.find<QPushButton>("lessonNext")->text(),
                 QStringLiteral("Next step\u00a0›"));
    }

    void aLessonIsSavedByTheNameOfItsTitle() {
        QCOMPARE(ui::suggestedName("Who listens, to whom?"), QString("who-listens-to-whom"));
        QCOMPARE(ui::suggestedName(QStringLiteral("../注意力: 猫 1")),
                 QStringLiteral("注意力-猫-1"));
        QCOMPARE(ui::suggestedName(" ?!"), QString());
        QCOMPARE(ui::suggestedName(QString(99, 'a')).size(), 40);
    }

    void whatAPersonTypesIsText() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        const QString hostile = "<b>a</b> & <img src='x'> {if";
        type<QLineEdit>(fixture, "stepTitle", hostile);
        type<QPlainTextEdit>(fixture, "stepText", hostile);
        HEADLIGHT_UNTIL(preview(fixture).contains(hostile));
        QCOMPARE(fixture.find<QListWidget>("lessonStepList")->item(0)->text(), "1. " + hostile);
        showPage(fixture, "Question");
        fixture.find<QCheckBox>("asksQuestion")->click();
        type<QPlainTextEdit>(fixture, "questionAsked", hostile);
        type<QLineEdit>(fixture, "answerText0", hostile);
        click(fixture, "askNow");
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        QVERIFY(card->isVisible());
        QVERIFY(card->findChild<QPushButton *>("questionAnswer0")->accessibleName() == hostile);
        card->choose(0);
        QCOMPARE(fixture.find<QLabel>("rightAnswer")->textFormat(), Qt::PlainText);
    }

    void theFormulaIsShownWhereAStepSaysSo() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        showPage(fixture, "Shows");
        auto *bar = fixture.find<QWidget>("formulaBar");
        QVERIFY(!bar->isVisible());
        auto *box = fixture.find<QComboBox>("stepPanel3");
        box->setFocus();
        QTest::keyClick(box, Qt::Key_Down);
        QVERIFY(bar->isVisible());
        QTest::keyClick(box, Qt::Key_Down);
        QVERIFY(!bar->isVisible());
    }

    void everythingHasANameAndRoomInANarrowDock() {
        WindowFixture fixture("bank", "flow");
        beginLesson(fixture);
        auto *editor = fixture.find<ui::LessonEditor>("lessonEditor");
        for (const char *page : {"Text", "Shows", "Question", "Exercise", "Lesson"}) {
            showPage(fixture, page);
            for (const char *box : {"asksQuestion", "setsExercise"})
                if (auto *check = fixture.find<QCheckBox>(box);
                    check->isVisible() && !check->isChecked())
                    check->click();
            QCoreApplication::processEvents();
            for (const QWidget *widget : editor->findChildren<QWidget *>()) {
                const bool isControl = qobject_cast<const QAbstractButton *>(widget) ||
                                       qobject_cast<const QLineEdit *>(widget) ||
                                       qobject_cast<const QPlainTextEdit *>(widget) ||
                                       qobject_cast<const QAbstractSpinBox *>(widget) ||
                                       qobject_cast<const QComboBox *>(widget);
                if (!isControl || !widget->isVisible() || widget->objectName().startsWith("qt_"))
                    continue;
                QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
                QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
                const QRect at(widget->mapTo(editor, QPoint()), widget->size());
                QVERIFY2(at.left() >= 0 && at.right() <= editor->width(),
                         qPrintable(widget->objectName()));
            }
        }
    }
};

HEADLIGHT_WIDGET_TEST(LessonEditorTest)
#include "tst_lesson_editor.moc"
