// An author adds steps from templates, goes to other steps, sets exercises and saves the lesson.
#include "core/lesson/question.h"
#include "tests/support/shown_texts.h"
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/panels/lesson_editor/lesson_editor.h"

namespace {

bool isWhole(const QWidget &widget) {
    return widget.visibleRegion().boundingRect() == widget.rect();
}

} // namespace

class AuthorStepsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theStepsAreVisibleOnEveryPage() {
        LessonWindow fixture;
        auto *steps = fixture.find<QListWidget>("lessonStepList");
        for (const char *page : {"Text", "Shows", "Question", "Exercise", "Lesson"}) {
            fixture.showPage(page);
            QVERIFY2(!steps->visibleRegion().isEmpty(), page);
        }
        fixture.press("addStepBehind");
        QCOMPARE(steps->count(), 2);
        QCOMPARE(QApplication::focusWidget(), fixture.find<QPlainTextEdit>("stepText"));
    }

    void inALowWindowTheStepsAreALineOnEveryPage_data() {
        test::addColumns<double>({"scale"});
        QTest::newRow("200 %") << 2.0;
        QTest::newRow("300 %") << 3.0;
    }
    /// In a short window with large text, the list of steps does not fit above a field.
    void inALowWindowTheStepsAreALineOnEveryPage() {
        QFETCH(const double, scale);
        test::LowLessonWindow fixture(scale);
        const auto *line = fixture.find<QComboBox>("lessonStepLine");
        QVERIFY(!fixture.find<QListWidget>("lessonStepList")->isVisible());
        for (const char *page : {"Lesson", "Shows", "Question", "Exercise", "Text"}) {
            fixture.showPage(page);
            HEADLIGHT_UNTIL(isWhole(*line));
        }
        // The field that Insert writes to has its name, and there is space to write.
        fixture.document().select(core::Selection{.query = 1, .key = 0});
        const auto *target = fixture.find<QLabel>("insertTarget");
        HEADLIGHT_UNTIL(isWhole(*target) && isWhole(*fixture.find<QWidget>("insertNumber")));
        QVERIFY2(target->text().endsWith(QStringLiteral("→ Text")), qPrintable(target->text()));
        QVERIFY(target->toolTip().endsWith(QStringLiteral("→ Text")));
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        QTest::keyClicks(text, "money");
        HEADLIGHT_UNTIL(!text->visibleRegion().isEmpty());
        fixture.find<QPlainTextEdit>("stepTryIt")->setFocus();
        QVERIFY(target->text().endsWith(QStringLiteral("→ Try it")));
    }

    void theLineOfStepsGoesToThemAndChangesThem() {
        test::LowLessonWindow fixture(2.0);
        const QString title = "What a word gives to the other words of its sentence";
        fixture.type("stepTitle", title);
        fixture.press("addStepBehind");
        fixture.settle();
        auto *line = fixture.find<QComboBox>("lessonStepLine");
        QCOMPARE(line->currentText(), QString("2 of 2: New step"));
        QVERIFY(!fixture.find<QPushButton>("editStepAfter")->isEnabled());
        fixture.press("editStepBefore");
        fixture.settle();
        QCOMPARE(fixture.document().state().lessonStep, core::Index(0));
        QCOMPARE(line->currentText(), QString("1 of 2: " + title));
        QVERIFY(line->toolTip().startsWith(line->currentText())); // the line elides the title
        QVERIFY(!fixture.find<QPushButton>("editStepBefore")->isEnabled());
        line->setFocus();
        QTest::keyClick(line, Qt::Key_Down);
        QCOMPARE(fixture.document().state().lessonStep, core::Index(1));
        // The line has the keys of the list.
        QTest::keyClick(line, Qt::Key_D, Qt::ControlModifier);
        QCOMPARE(line->count(), 3);
        QCOMPARE(line->currentIndex(), 2);
        QTest::keyClick(line, Qt::Key_Up, Qt::AltModifier);
        QCOMPARE(line->currentIndex(), 1);
        QTest::keyClick(line, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(line->currentIndex(), 2);
        QTest::keyClick(line, Qt::Key_Delete);
        QCOMPARE(line->count(), 2);
        QTest::keyClick(line, Qt::Key_Insert);
        QCOMPARE(line->count(), 3);
        // The menu does what the buttons of the list do.
        QVERIFY(fixture.find<QAction>("removeStepInMenu")->isEnabled());
        fixture.find<QAction>("removeStepInMenu")->trigger();
        fixture.find<QAction>("removeStepInMenu")->trigger();
        QCOMPARE(line->count(), 1);
        QVERIFY(!fixture.find<QAction>("removeStepInMenu")->isEnabled());
        QVERIFY(!fixture.find<QAction>("moveStepUpInMenu")->isEnabled());
        fixture.find<QAction>("addStepBehindInMenu")->trigger();
        QCOMPARE(line->currentText(), QString("2 of 2: New step"));
        QCOMPARE(test::namelessIn(*fixture.find<ui::LessonEditor>("lessonEditor")), QStringList());
    }

    void theLineOfStepsBecomesAListInAHigherWindow() {
        test::LowLessonWindow fixture(2.0);
        auto *line = fixture.find<QComboBox>("lessonStepLine");
        auto *list = fixture.find<QListWidget>("lessonStepList");
        line->setFocus();
        fixture.window.resize(1280, 1400);
        HEADLIGHT_UNTIL(list->isVisible());
        QVERIFY(!line->isVisible());
        QCOMPARE(QApplication::focusWidget(), list);
        fixture.window.resize(1280, 720);
        HEADLIGHT_UNTIL(line->isVisible());
        QVERIFY(!list->isVisible());
        QCOMPARE(QApplication::focusWidget(), line);
    }

    void aQuestionAboutTheSelectedRow() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.find<QAction>("templatePredict")->trigger();
        fixture.settle();
        const core::LessonStep &step = *fixture.document().lessonStep();
        QCOMPARE(fixture.document().state().lessonStep, core::Index(1));
        QVERIFY(step.question.has_value());
        QCOMPARE(step.question->answers.size(), std::size_t(2)); // one for each word
        QCOMPARE(step.question->answers[0].text, std::string("To *money*"));
        const auto right = core::rightAnswer(*step.question, *fixture.document().trace());
        QVERIFY(right.ok() && *right == 0);
        QVERIFY(fixture.preview().contains("It is money, with 0.80."));
        QVERIFY(fixture.find<QPlainTextEdit>("questionAsked")->isVisible());
        // The question is beside the scores, which do not show the answer as a number.
        QVERIFY(step.question->show.has_value());
        QCOMPARE(step.question->show->stage, std::optional(core::Stage::MaskedScores));
        QCOMPARE(step.question->show->query, std::optional<core::Index>(1));
        QVERIFY(!step.question->show->key);
        fixture.press("checkLesson");
        auto *words = fixture.find<QLabel>("checkText");
        HEADLIGHT_UNTIL(words->text() != "Checking…");
        const auto *list = fixture.find<QListWidget>("lessonProblems");
        for (int row = 0; row < list->count();
             ++row) // only the first step, which is empty, has problems
            QVERIFY2(!list->item(row)->text().contains("steps[1]"),
                     qPrintable(list->item(row)->text()));
    }

    void aGoalThatIsNotReachedYet() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.find<QAction>("templateExercise")->trigger();
        fixture.settle();
        const core::Exercise &exercise = *fixture.document().lessonStep()->exercise;
        QCOMPARE(exercise.goals.size(), std::size_t(1));
        // The text is "More than 0.5; now it is {weights 0 0 bank money}". It has words in place of
        // > and <.
        const std::string &condition = exercise.goals[0].condition;
        const bool isMore = condition.starts_with("weights 0 0 bank money > ");
        QVERIFY(isMore || condition.starts_with("weights 0 0 bank money < "));
        QCOMPARE(
            QString::fromStdString(exercise.goals[0].text),
            QString("%1 than %2; now it is {weights 0 0 bank money}")
                .arg(isMore ? "More" : "Less", QString::fromStdString(condition).section(' ', -1)));
        QVERIFY(!core::solvingOf(exercise, *fixture.document().trace(), {}).isSolved());
        QVERIFY(fixture.find<QLabel>("goalHolds0")->isVisible());
    }

    void anExerciseDoesNotExpandTheArithmetic() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.find<QAction>("templateExample")->trigger();
        fixture.settle();
        QVERIFY(fixture.document().selection().opened);
        fixture.find<QAction>("templateExercise")->trigger();
        fixture.settle();
        QVERIFY(fixture.document().lessonStep()->exercise.has_value());
        QVERIFY(!fixture.document().selection().opened);
    }

    void aNumberWithItsArithmetic() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.find<QAction>("templateExample")->trigger();
        fixture.settle();
        const core::LessonStep &step = *fixture.document().lessonStep();
        QVERIFY(step.show.opened.value_or(false));
        QVERIFY(fixture.preview().contains("worked out: 0.80."));
        // If a row is selected, the template uses its largest number.
        fixture.select({.stage = core::Stage::AttentionWeights, .query = 1, .key = test::none()});
        fixture.find<QAction>("templateExample")->trigger();
        fixture.settle();
        QVERIFY(fixture.preview().contains("worked out: 0.80."));
        QVERIFY(fixture.document().lessonStep()->show.key == core::Index(0));
        // Without a selected row, the template has no number.
        fixture.select(
            {.stage = core::Stage::AttentionWeights, .query = test::none(), .key = test::none()});
        fixture.find<QAction>("templateExample")->trigger();
        fixture.settle();
        QVERIFY(!QString::fromStdString(fixture.document().lessonStep()->text[0]).contains('{'));
    }

    void theViewIsOfferedWhenAStepIsLeft() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.press("addStepBehind");
        fixture.settle();
        auto *offer = fixture.find<QWidget>("leavingOffer");
        fixture.goToStep(0);
        QVERIFY(!offer->isVisible()); // the author has not viewed anything else
        fixture.settle();
        const core::SelectionPatch before = fixture.firstStep().show;
        fixture.select(test::weight(0, 1));
        fixture.type("stepTitle", "Typed"); // typing does not discard the author's view
        const auto *title = fixture.find<QLineEdit>("stepTitle");
        const QPoint place = title->mapTo(&fixture.window, QPoint());
        fixture.goToStep(1);
        QVERIFY(offer->isVisible());
        QCOMPARE(title->mapTo(&fixture.window, QPoint()), place); // the offer is below the fields
        QVERIFY(fixture.find<QLabel>("leavingWords")->text().startsWith("Step 1 "));
        fixture.press("leavingUse");
        QVERIFY(!offer->isVisible());
        QVERIFY(fixture.firstStep().show != before);
        QVERIFY(fixture.firstStep().show.query == core::Index(0));
        QCOMPARE(fixture.document().state().lessonStep, core::Index(1));
        // Selecting another tab counts as well. The offer can be declined.
        fixture.settle();
        fixture.window.showView("heads");
        fixture.goToStep(0);
        QVERIFY(offer->isVisible());
        fixture.press("leavingKeep");
        QVERIFY(!offer->isVisible());
        QVERIFY(fixture.lesson().steps[1].show.view.value_or("") != "heads");
    }

    /// The author selects the cell of the next step, then adds this step.
    void anAddedStepTakesTheViewAndTheOneBeforeKeepsIts() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.settle();
        auto *offer = fixture.find<QWidget>("leavingOffer");
        fixture.press("addStepBehind");
        QVERIFY(!offer->isVisible()); // the author has not viewed anything else
        fixture.settle();
        const core::SelectionPatch before = fixture.lesson().steps[1].show;
        fixture.select(test::weight(0, 1));
        fixture.press("addStepBehind");
        QVERIFY(!offer->isVisible());
        QCOMPARE(fixture.document().state().lessonStep, core::Index(2));
        QVERIFY(fixture.lesson().steps[1].show == before);
        QVERIFY(fixture.lesson().steps[2].show.query == core::Index(0));
        QVERIFY(fixture.lesson().steps[2].show.key == core::Index(1));
        // Moving a step does not leave it.
        fixture.settle();
        fixture.select(test::weight(1, 1));
        fixture.press("moveStepUp");
        QVERIFY(!offer->isVisible());
    }

    void noButtonMovesWhenStepsAreAdded() {
        LessonWindow fixture;
        const auto *kind = fixture.find<QPushButton>("addFromTemplate");
        const int place = kind->mapTo(&fixture.window, QPoint()).y();
        for (int steps = 2; steps < 8; ++steps) {
            fixture.press("addStepBehind");
            fixture.settle();
            QCOMPARE(kind->mapTo(&fixture.window, QPoint()).y(), place);
        }
    }

    void aSolutionThatDoesNotSolveIsMarkedAtOnce() {
        LessonWindow fixture;
        fixture.showPage("Exercise");
        fixture.find<QCheckBox>("setsExercise")->click();
        fixture.type("goalText0", "less");
        fixture.type("goalIf0", "weights 0 0 bank money < 0.5");
        fixture.setQuery(-9);
        fixture.press("takeSolution");
        QVERIFY(fixture.document().resetEdits().ok());
        fixture.settle();
        auto *problem = fixture.find<QLabel>("solutionProblem");
        QVERIFY(!problem->isVisible());
        const auto *button = fixture.find<QPushButton>("trySolution");
        const int place = button->y();
        fixture.type("goalIf0", "weights 0 0 bank money > 0.9");
        HEADLIGHT_UNTIL(problem->isVisible());
        QCoreApplication::processEvents();
        QCOMPARE(button->y(), place); // the message has its space from the beginning
        QVERIFY(problem->text().contains("Not reached: goal 1"));
        QVERIFY(problem->property("problem").toBool()); // in the colour for problems
        fixture.type("goalIf0", "weights 0 0 bank money < 0.6");
        HEADLIGHT_UNTIL(!problem->isVisible());
    }

    void savingChecksTheLesson() {
        QTemporaryDir folder;
        LessonWindow fixture;
        fixture.type<QPlainTextEdit>("stepText", "{weights 0 0 bank river}");
        auto *list = fixture.find<QListWidget>("lessonProblems");
        QVERIFY(fixture.window.saveIn(folder.filePath("mine.headlight")));
        HEADLIGHT_UNTIL(list->count() > 0);
        QVERIFY(list->item(0)->text().contains("lesson.steps[0].text[0]"));
        QStringList shown;
        for (const QLabel *label : fixture.window.findChildren<QLabel *>())
            shown << label->text();
        QVERIFY(shown.join('\n').contains("Saved. The lesson has"));
        fixture.type<QPlainTextEdit>("stepText", "{weights 0 0 bank money}");
        fixture.showPage("Lesson");
        fixture.type("lessonSummary", "About a word.");
        QVERIFY(fixture.window.saveIn(folder.filePath("mine.headlight")));
        HEADLIGHT_UNTIL(fixture.find<QLabel>("checkText")->text() ==
                        QStringLiteral("✓ No problems"));
    }

    void savingChecksTheLessonAlsoBehindAClosedEditor() {
        QTemporaryDir folder;
        LessonWindow fixture;
        fixture.type<QPlainTextEdit>("stepText", "{weights 0 0 bank river}");
        fixture.window.findChild<QAction *>("editLesson")->trigger();
        QVERIFY(!fixture.find<QListWidget>("lessonProblems")->isVisible());
        QVERIFY(fixture.window.saveIn(folder.filePath("mine.headlight")));
        HEADLIGHT_UNTIL(
            std::ranges::any_of(fixture.window.findChildren<QLabel *>(), [](const QLabel *label) {
                return label->text().contains("Saved. The lesson has");
            }));
    }
};

HEADLIGHT_WIDGET_TEST(AuthorStepsTest)
#include "tst_author_steps.moc"
