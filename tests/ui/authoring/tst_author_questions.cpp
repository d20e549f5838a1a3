// Authors write questions and claims without learning the syntax of conditions.
#include "core/lesson/claim.h"
#include "core/lesson/question.h"
#include "core/lesson/step_condition.h"
#include "tests/ui/window/lesson_editor_fixture.h"

namespace {

std::vector<core::Answer> answersOf(LessonWindow &fixture) {
    return fixture.document().lessonStep()->question->answers;
}

void ask(LessonWindow &fixture) {
    fixture.showPage("Question");
    fixture.find<QCheckBox>("asksQuestion")->click();
}

} // namespace

class AuthorQuestionsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aConstantConditionIsRecognised() {
        QVERIFY(core::constantCondition("1 > 0") == true);
        QVERIFY(core::constantCondition("0 > 1") == false);
        QVERIFY(core::constantCondition(" 2 = 2 ") == true);
        for (const char *other : {"", "1", "1 >", "1 > 0 & 2 > 1", "weights 0 0 0 0 > 0", "1 > a"})
            QVERIFY2(!core::constantCondition(other), other);
    }

    void aTickMakesAnAnswerAlwaysRightAndTheOthersWrong() {
        LessonWindow fixture;
        ask(fixture);
        fixture.type("answerText0", "Many");
        fixture.type("answerText1", "One");
        auto *condition = fixture.find<QLineEdit>("answerIf1");
        QVERIFY(condition->isVisible());
        fixture.find<QCheckBox>("answerAlways1")->click();
        QCOMPARE(answersOf(fixture)[1].condition, std::string("1 > 0"));
        QCOMPARE(answersOf(fixture)[0].condition, std::string("0 > 1"));
        QVERIFY(!condition->isVisible()); // the ticked box replaces the condition
        QVERIFY(!fixture.find<QCheckBox>("answerAlways0")->isChecked());
        HEADLIGHT_UNTIL(fixture.find<QLabel>("rightAnswer")->text() ==
                        "Answer 2 is right at present");
        QVERIFY(fixture.find<QLabel>("answerHolds0")->text().contains("whatever the numbers are"));
        // A new answer is wrong, too.
        fixture.press("answerAdd");
        QCOMPARE(answersOf(fixture)[2].condition, std::string("0 > 1"));
        // Another answer becomes the right one.
        fixture.find<QCheckBox>("answerAlways0")->click();
        QCOMPARE(answersOf(fixture)[0].condition, std::string("1 > 0"));
        QCOMPARE(answersOf(fixture)[1].condition, std::string("0 > 1"));
        QVERIFY(!fixture.find<QCheckBox>("answerAlways1")->isChecked());
        // If the box is not ticked, conditions are used again.
        fixture.find<QCheckBox>("answerAlways0")->click();
        QVERIFY(condition->isVisible());
        QVERIFY(answersOf(fixture)[0].condition.empty() && answersOf(fixture)[2].condition.empty());
        QTest::keyClick(&fixture.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(answersOf(fixture)[0].condition, std::string("1 > 0"));
        QVERIFY(fixture.find<QCheckBox>("answerAlways0")->isChecked());
    }

    /// The picture of a question must not point at the right answer.
    void aPictureThatFramesTheAnswerIsWarnedOf() {
        LessonWindow fixture;
        ask(fixture);
        fixture.type("answerText0", "To *money*");
        fixture.type("answerIf0", "weights 0 0 bank money > weights 0 0 bank bank");
        fixture.type("answerText1", "To *bank*");
        fixture.type("answerIf1", "weights 0 0 bank money < weights 0 0 bank bank");
        const auto *shows = fixture.find<QLabel>("askedShows");
        const auto showSeen = [&](core::Index key) {
            fixture.document().answer({}); // closes the question, so that the view can change
            fixture.select(
                {.stage = core::Stage::Key, .query = test::some(1), .key = test::some(key)});
            fixture.press("askSeen");
        };
        showSeen(0);
        HEADLIGHT_UNTIL(shows->text().contains(QStringLiteral("highlights “money”")));
        showSeen(1); // a wrong answer may be framed
        HEADLIGHT_UNTIL(shows->text().contains("key 1"));
        HEADLIGHT_UNTIL(!shows->text().contains("highlights"));
        fixture.press("askCovered");
        HEADLIGHT_UNTIL(shows->text().contains("covered"));
    }

    void aTypedConstantStaysWhileItIsTyped() {
        LessonWindow fixture;
        ask(fixture);
        auto *condition = fixture.find<QLineEdit>("answerIf0");
        condition->setFocus();
        QTest::keyClicks(condition, "1 > 0");
        QVERIFY(condition->isVisible());
        QTest::keyClicks(condition, ".5");
        QCOMPARE(answersOf(fixture)[0].condition, std::string("1 > 0.5"));
    }

    void aGoalHasNoSuchTick() {
        LessonWindow fixture;
        fixture.showPage("Exercise");
        fixture.find<QCheckBox>("setsExercise")->click();
        QVERIFY(!fixture.find<QCheckBox>("goalAlways0")->isVisible());
    }

    void aConditionIsBuiltByClicking() {
        LessonWindow fixture(test::weight(1, 0));
        ask(fixture);
        auto *builder = fixture.find<QWidget>("answerBuilder");
        QVERIFY(!builder->isVisible());
        fixture.press("answerBuild0");
        QVERIFY(builder->isVisible());
        QCOMPARE(fixture.find<QLabel>("answerBuilderCell")->text(),
                 QString("weights 0 0 bank money is 0.80"));
        QVERIFY(
            fixture.find<QLabel>("answerBuilderWords")->text().contains("The condition holds now"));
        fixture.press("answerBuilderUse");
        QCOMPARE(answersOf(fixture)[0].condition, std::string("weights 0 0 bank money > 0.7"));
        QVERIFY(!builder->isVisible());
        // Builds the other answer's condition, with another cell and another comparison.
        fixture.press("answerBuild1");
        fixture.select(test::weight(1, 1));
        QCOMPARE(fixture.find<QLabel>("answerBuilderCell")->text(),
                 QString("weights 0 0 bank bank is 0.20"));
        fixture.find<QComboBox>("answerBuilderComparison")->setCurrentIndex(1);
        fixture.find<QDoubleSpinBox>("answerBuilderNumber")->setValue(0.05);
        QVERIFY(fixture.find<QLabel>("answerBuilderWords")->text().contains("does not hold"));
        fixture.press("answerBuilderUse");
        QCOMPARE(answersOf(fixture)[1].condition, std::string("weights 0 0 bank bank < 0.05"));
        // Adds a second condition, which compares one cell with another.
        fixture.press("answerBuild1");
        fixture.find<QComboBox>("answerBuilderComparison")->setCurrentIndex(0);
        fixture.press("answerBuilderOther");
        QVERIFY(!fixture.find<QPushButton>("answerBuilderJoin")->isEnabled());
        fixture.select(test::weight(1, 0));
        fixture.press("answerBuilderJoin");
        QCOMPARE(
            answersOf(fixture)[1].condition,
            std::string(
                "weights 0 0 bank bank < 0.05 & weights 0 0 bank bank > weights 0 0 bank money"));
        QVERIFY(core::rightAnswer(*fixture.document().lessonStep()->question,
                                  *fixture.document().trace())
                    .ok());
    }

    void aBuilderBeginsWithTheConditionOfItsField() {
        LessonWindow fixture(test::weight(1, 0));
        ask(fixture);
        fixture.type("answerIf0", "weights 0 0 bank bank < 0.25");
        fixture.press("answerBuild0");
        QCOMPARE(fixture.find<QLabel>("answerBuilderCell")->text(),
                 QString("weights 0 0 bank bank is 0.20"));
        QCOMPARE(fixture.find<QDoubleSpinBox>("answerBuilderNumber")->value(), 0.25);
        QCOMPARE(fixture.find<QComboBox>("answerBuilderComparison")->currentIndex(), 1);
        fixture.find<QDoubleSpinBox>("answerBuilderNumber")->setValue(0.3);
        fixture.press("answerBuilderUse");
        QCOMPARE(answersOf(fixture)[0].condition, std::string("weights 0 0 bank bank < 0.3"));
        // Clicking a cell replaces the cell in the builder.
        fixture.press("answerBuild0");
        fixture.select(test::weight(1, 1));
        fixture.select(test::weight(1, 0));
        QCOMPARE(fixture.find<QLabel>("answerBuilderCell")->text(),
                 QString("weights 0 0 bank money is 0.80"));
    }

    void aBuiltGoalDoesNotHoldYetAndIsInSight() {
        LessonWindow fixture(test::weight(1, 0));
        fixture.showPage("Exercise");
        fixture.find<QCheckBox>("setsExercise")->click();
        fixture.press("goalBuild0");
        auto *builder = fixture.find<QWidget>("goalBuilder");
        QVERIFY(fixture.find<QLabel>("goalBuilderWords")->text().contains("does not hold now"));
        HEADLIGHT_UNTIL(builder->visibleRegion().boundingRect() == builder->rect());
    }

    void theLargestOfARowIsBuilt() {
        LessonWindow fixture(test::weight(1, 0));
        ask(fixture);
        fixture.press("answerBuild0");
        fixture.find<QComboBox>("answerBuilderComparison")->setCurrentIndex(3);
        QVERIFY(!fixture.find<QDoubleSpinBox>("answerBuilderNumber")->isVisible());
        fixture.press("answerBuilderUse");
        QCOMPARE(answersOf(fixture)[0].condition, std::string("most weights 0 0 bank money"));
    }

    void everyProposedClaimHoldsAndNoProposedGoalDoes() {
        const LessonWindow fixture("bank");
        const core::Trace &trace = *const_cast<LessonWindow &>(fixture).document().trace();
        for (const char *mark :
             {"weights 0 0 bank money", "weights 0 0 bank bank", "weights 0 0 money money",
              "scores 0 0 bank money", "embeddings 0 money 0", "embeddings 0 bank 1",
              "length query 0 0 bank", "most weights 0 0 bank"}) {
            const core::Result<std::string> claim = core::claimAbout(mark, trace);
            QVERIFY2(claim.ok(), mark);
            const core::Result<bool> holds = core::conditionHolds(*claim, trace);
            QVERIFY2(holds.ok() && *holds, claim->c_str());
            const core::Result<std::string> goal = core::goalAbout(mark, trace);
            QCOMPARE(goal.ok(), std::string(mark).substr(0, 4) != "most");
            if (!goal)
                continue;
            const core::Result<bool> reached = core::conditionHolds(*goal, trace);
            QVERIFY2(reached.ok() && !*reached, goal->c_str());
        }
        QVERIFY(!core::claimAbout("weights 0 0 bank river", trace));
    }

    void aClaimIsInsertedAroundTheSelectedText() {
        LessonWindow fixture(test::weight(1, 0));
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        QTest::keyClicks(text, "Look. *bank* listens.");
        QTextCursor cursor = text->textCursor();
        cursor.setPosition(6);
        cursor.movePosition(QTextCursor::End, QTextCursor::KeepAnchor);
        text->setTextCursor(cursor);
        QTest::keyClick(text, Qt::Key_M, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(fixture.firstStep().text[0],
                 std::string("Look. {if weights 0 0 bank money > 0.7}*bank* listens.{else}It is no "
                             "longer true.{end}"));
        QCOMPARE(text->textCursor().selectedText(), QString("*bank* listens."));
        HEADLIGHT_UNTIL(fixture.preview().contains("Look. bank listens."));
        QVERIFY(!fixture.preview().contains("no longer"));
        ask(fixture);
        auto *condition = fixture.find<QLineEdit>("answerIf0");
        condition->setFocus();
        fixture.press("insertClaim");
        QCOMPARE(condition->text(), QString("weights 0 0 bank money > 0.7"));
    }

    void theTargetOfInsertIsNamed() {
        LessonWindow fixture(test::weight(1, 0));
        const auto *target = fixture.find<QLabel>("insertTarget");
        QCOMPARE(target->toolTip(), QString("{weights 0 0 bank money} → Text"));
        fixture.find<QPlainTextEdit>("stepTryIt")->setFocus();
        QCOMPARE(target->toolTip(), QString("{weights 0 0 bank money} → Try it"));
        ask(fixture);
        fixture.find<QLineEdit>("answerIf1")->setFocus();
        QCOMPARE(target->toolTip(), QString("{weights 0 0 bank money} → Answer 2 is right if"));
        fixture.select(
            {.stage = core::Stage::AttentionWeights, .query = test::none(), .key = test::none()});
        QCOMPARE(fixture.find<QPushButton>("insertNumber")->text(), QString("Insert number"));
        QVERIFY(!fixture.find<QPushButton>("insertClaim")->isEnabled());
    }
};

HEADLIGHT_WIDGET_TEST(AuthorQuestionsTest)
#include "tst_author_questions.moc"
