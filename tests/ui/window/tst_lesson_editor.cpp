// An author writes a lesson in the window, saves it, opens it again and goes through it, by mouse
// and keyboard.
#include "tests/support/shown_texts.h"
#include "tests/ui/window/answers.h"
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/panels/lesson_editor/lesson_editor.h"
#include "ui/window/saving/suggested_name.h"

class LessonEditorTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    /// The window does not ask about unsaved edits, because the new lesson includes them.
    void aNewLessonAsksNothingOfNumbersThatItTakes() {
        LessonWindow fixture("bank");
        ui::Document &document = fixture.document();
        fixture.typeText("money by the bank");
        QVERIFY(document.isModified());
        {
            const test::Answer asked("unsavedChanges", "Cancel");
            fixture.begin();
            QCOMPARE(asked.times(), 0);
        }
        QVERIFY(document.source().isEmpty());
        QCOMPARE(document.trace()->batch().length(), 4);
        // A lesson that is being written would be lost, so the window asks.
        fixture.type("stepTitle", "What a word gives");
        const test::Answer asked("unsavedChanges", "Cancel");
        fixture.begin();
        QCOMPARE(asked.times(), 1);
        QCOMPARE(fixture.firstStep().title, std::string("What a word gives"));
    }

    void aLessonIsWrittenSavedAndReadAgain() {
        QTemporaryDir folder;
        const QString path = folder.filePath("mine.headlight");
        {
            LessonWindow fixture(test::weight(1, 0));
            ui::Document &document = fixture.document();
            QVERIFY(document.source().isEmpty());
            QVERIFY(document.isModified());
            QCOMPARE(fixture.lesson().steps.size(), std::size_t(1));
            QVERIFY(document.selection().query == core::Index(1));
            auto *text = fixture.find<QPlainTextEdit>("stepText");
            QCOMPARE(QApplication::focusWidget(), text);
            QTest::keyClicks(text, "*bank* gives *money* ");
            QTest::keyClick(text, Qt::Key_M, Qt::ControlModifier);
            QTest::keyClicks(text, ".");
            QCOMPARE(fixture.firstStep().text,
                     std::vector<std::string>{"*bank* gives *money* {weights 0 0 bank money}."});
            HEADLIGHT_UNTIL(fixture.preview().contains("bank gives money 0.80."));
            fixture.type("stepTitle", "What a word gives");
            auto *steps = fixture.find<QListWidget>("lessonStepList");
            QCOMPARE(steps->item(0)->text(), QString("1. What a word gives"));

            fixture.select(test::weight(0, 1));
            fixture.showPage("Lesson");
            steps->setFocus();
            QTest::keyClick(steps, Qt::Key_Insert);
            QCOMPARE(steps->count(), 2);
            QCOMPARE(steps->currentRow(), 1);
            fixture.showPage("Text");
            fixture.type("stepTitle", "The other way");
            fixture.type<QPlainTextEdit>("stepText",
                                         "*money* gives *bank* {weights 0 0 money bank}.");
            fixture.showPage("Question");
            QTest::mouseClick(fixture.find<QCheckBox>("asksQuestion"), Qt::LeftButton, {},
                              QPoint(8, 8));
            fixture.type<QPlainTextEdit>("questionAsked", "Does *money* listen to *bank*?");
            fixture.type("answerText0", "hardly");
            auto *condition = fixture.find<QLineEdit>("answerIf0");
            condition->setFocus();
            fixture.press("insertNumber");
            QTest::keyClicks(condition, " < 0.5");
            QCOMPARE(condition->text(), QString("weights 0 0 money bank < 0.5"));
            fixture.type("answerText1", "more than to itself");
            fixture.type("answerIf1", "weights 0 0 money bank > 0.5");
            HEADLIGHT_UNTIL(
                fixture.find<QLabel>("answerHolds1")->text().startsWith(QStringLiteral("✗")));
            QVERIFY(fixture.find<QLabel>("answerHolds0")->text().startsWith(QStringLiteral("✓")));
            QCOMPARE(fixture.find<QLabel>("rightAnswer")->text(),
                     QString("Answer 1 is right at present"));
            QVERIFY(!fixture.find<ui::QuestionCard>("questionCard")->isVisible());
            fixture.showPage("Lesson");
            fixture.type("lessonTitle", "Who listens");
            fixture.type("lessonSummary", "Attention has a direction.");
            fixture.find<QSpinBox>("lessonMinutes")->setValue(5);
            fixture.type("lessonNeeds", "bank, cat");
            QVERIFY(fixture.window.windowTitle().contains("Who listens"));

            fixture.press("checkLesson");
            auto *words = fixture.find<QLabel>("checkText");
            HEADLIGHT_UNTIL(words->text() != "Checking…");
            QCOMPARE(words->text(), QString("✓ No problems"));
            QCOMPARE(document.state().lessonStep, core::Index(1));
            QVERIFY(fixture.window.saveIn(path));
            QVERIFY(!document.isModified());
        }
        LessonWindow fixture(path);
        ui::Document &document = fixture.document();
        QCOMPARE(document.state().lessonStep, core::Index(0)); // not the step where its author was
        QCOMPARE(document.session().title, std::string("Who listens"));
        QCOMPARE(document.session().lesson->minutes, core::Index(5));
        QCOMPARE(document.session().lesson->needs, (std::vector<std::string>{"bank", "cat"}));
        QVERIFY(document.session().warnings.empty());
        fixture.goToStep(0);
        QVERIFY(fixture.preview().contains("bank gives money 0.80."));
        fixture.press("lessonNext");
        fixture.settle();
        auto *card = fixture.find<ui::QuestionCard>("questionCard");
        QVERIFY(card->isVisible());
        card->choose(0);
        QVERIFY(fixture.preview().contains("Right: "));
        QVERIFY(fixture.preview().contains("money gives bank 0."));
        QCOMPARE(document.selection().query.value_or(-1), core::Index(0));
    }

    void stepsAreUndoneThroughTheDocument() {
        LessonWindow fixture;
        ui::Document &document = fixture.document();
        auto *steps = fixture.find<QListWidget>("lessonStepList");
        fixture.showPage("Lesson");
        steps->setFocus();
        QTest::keyClick(steps, Qt::Key_Insert);
        QTest::keyClick(steps, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(steps->count(), 3);
        fixture.type("stepTitle", "Third");
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
        // Dropping a step at another position moves it.
        document.undoStack().setIndex(document.undoStack().count() - 1);
        const auto before = fixture.lesson().steps.front().title;
        QVERIFY(steps->model()->moveRow({}, 0, {}, 3));
        QCoreApplication::processEvents();
        QCOMPARE(fixture.lesson().steps.back().title, before);
        QCOMPARE(steps->count(), 3);
    }

    void aBuiltInLessonIsCopied() {
        LessonWindow fixture("bank");
        const std::size_t count = fixture.lesson().steps.size();
        fixture.find<QAction>("editLesson")->trigger();
        QVERIFY(fixture.find<QPushButton>("offerLesson")->isVisible());
        QCOMPARE(fixture.document().source(), QString("bank"));
        QVERIFY(test::active(fixture.window));
        auto *offer = fixture.find<QPushButton>("offerLesson");
        QCOMPARE(QApplication::focusWidget(), offer);
        QTest::keyClick(offer, Qt::Key_Return);
        fixture.settle();
        ui::Document &document = fixture.document();
        QVERIFY(document.source().isEmpty());
        QVERIFY(document.isModified()); // there is no file yet
        QCOMPARE(fixture.lesson().steps.size(), count);
        fixture.type("stepTitle", "Mine");
        QCOMPARE(fixture.firstStep().title, std::string("Mine"));
        QVERIFY(core::readSession(ui::lessonFile("bank").toStdString())->lesson->steps[0].title !=
                "Mine");
    }

    void aSessionOffersItsFirstLesson() {
        LessonWindow fixture("induction");
        fixture.find<QAction>("editLesson")->trigger();
        auto *offer = fixture.find<QPushButton>("offerLesson");
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), QString("New lesson from this session"));
        offer->click();
        fixture.settle();
        QCOMPARE(fixture.lesson().steps.size(), std::size_t(1));
        QVERIFY(fixture.find<QPlainTextEdit>("stepText")->isVisible());
    }

    void whatIsWrongIsSaidWhereItIsAndFoundByCheck() {
        LessonWindow fixture;
        auto *steps = fixture.find<QListWidget>("lessonStepList");
        fixture.press("addStepBehind");
        QCOMPARE(steps->currentRow(), 1);
        fixture.type<QPlainTextEdit>("stepText",
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
        fixture.type<QPlainTextEdit>("stepText",
                                     "{if 2 < 1}a{end} {keys 0} {weights 0 0 bank river}");
        HEADLIGHT_UNTIL(problem().count('\n') == 2); // one line per problem
        fixture.type<QPlainTextEdit>("stepText", "{weights 0 0 bank river}");
        HEADLIGHT_UNTIL(problem().contains("river") && !problem().contains('\n'));
        steps->setCurrentRow(0);
        QVERIFY(problem().isEmpty());
        fixture.showPage("Lesson");
        fixture.press("checkLesson");
        auto *list = fixture.find<QListWidget>("lessonProblems");
        HEADLIGHT_UNTIL(list->isVisible());
        QCOMPARE(list->count(), 1);
        QVERIFY(list->item(0)->text().contains("lesson.steps[1].text[0]"));
        list->setFocus();
        list->setCurrentRow(0);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(fixture.document().state().lessonStep, core::Index(1));
        QCOMPARE(QApplication::focusWidget(), fixture.find<QPlainTextEdit>("stepText"));
        fixture.type<QPlainTextEdit>("stepText", "{weights 0 0 bank money}");
        HEADLIGHT_UNTIL(problem().isEmpty());
        QVERIFY(!list->isVisible()); // the suggestions were for the previous text
    }

    void whatIsSeenAndChangedIsTaken() {
        LessonWindow fixture;
        ui::Document &document = fixture.document();
        fixture.showPage("Shows");
        fixture.window.showView("heads");
        fixture.select(test::weight(0, 0));
        fixture.press("showSeen");
        const core::SelectionPatch show = fixture.firstStep().show;
        QCOMPARE(show.view.value_or(""), std::string("heads"));
        QVERIFY(show.query == core::Index(0) && show.key == core::Index(0));
        auto *set = fixture.find<QPushButton>("setChanged");
        QVERIFY(!set->isEnabled());
        fixture.setQuery(3);
        QVERIFY(set->isEnabled());
        set->click();
        QVERIFY(!document.isEdited());
        QCOMPARE(fixture.firstStep().set.parameters.size(), std::size_t(1));
        fixture.showPage("Exercise");
        fixture.find<QCheckBox>("setsExercise")->click();
        fixture.type("goalText0", "less");
        fixture.type("goalIf0", "weights 0 0 bank money < 0.5");
        HEADLIGHT_UNTIL(fixture.find<QLabel>("goalHolds0")->text().startsWith(QStringLiteral("✗")));
        fixture.setQuery(-9);
        QVERIFY(fixture.find<QLabel>("goalHolds0")->text().startsWith(QStringLiteral("✓")));
        fixture.press("takeSolution");
        QVERIFY(document.resetEdits().ok());
        fixture.press("checkLesson");
        auto *words = fixture.find<QLabel>("checkText");
        HEADLIGHT_UNTIL(words->text() != "Checking…");
        QCOMPARE(words->text(), QString("✓ No problems"));
        fixture.press("trySolution");
        fixture.settle();
        QVERIFY(fixture.preview().contains(QStringLiteral("✓ Solved.")));
    }

    void aStepWithoutATitleSaysSo() {
        LessonWindow fixture;
        fixture.press("addStepBehind");
        auto *title = fixture.find<QLineEdit>("stepTitle");
        title->setFocus();
        title->selectAll();
        QTest::keyClick(title, Qt::Key_Delete);
        QCOMPARE(fixture.find<QListWidget>("lessonStepList")->item(1)->text(),
                 QString("2. (no title)"));
        QVERIFY(fixture.document().goToStep(0).ok());
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

    void theFormulaIsShownWhereAStepSaysSo() {
        LessonWindow fixture;
        fixture.showPage("Shows");
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
        LessonWindow fixture;
        auto *editor = fixture.find<ui::LessonEditor>("lessonEditor");
        for (const char *page : {"Text", "Shows", "Question", "Exercise", "Lesson"}) {
            fixture.showPage(page);
            for (const char *box : {"asksQuestion", "setsExercise"})
                if (auto *check = fixture.find<QCheckBox>(box);
                    check->isVisible() && !check->isChecked())
                    check->click();
            QCoreApplication::processEvents();
            QCOMPARE(test::namelessIn(*editor), QStringList());
            for (const QWidget *widget : editor->findChildren<QWidget *>()) {
                const QRect at(widget->mapTo(editor, QPoint()), widget->size());
                QVERIFY2(!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus ||
                             (at.left() >= 0 && at.right() <= editor->width()),
                         qPrintable(widget->objectName()));
            }
        }
    }
};

HEADLIGHT_WIDGET_TEST(LessonEditorTest)
#include "tst_lesson_editor.moc"
