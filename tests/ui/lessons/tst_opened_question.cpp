// A lesson opened at a step with a question shows the question's view, because the step's own view
// may reveal the answer.
#include "tests/ui/document/document_fixture.h"

class OpenedQuestionTest : public QObject {
    Q_OBJECT

  private slots:
    void theViewIsTheQuestions() {
        test::ReadyDocument document("ten-things", 1);
        QVERIFY(document.askedQuestion());
        QCOMPARE(document.requestedView(), QString("close-up"));
        QVERIFY(document.selection().stage == Stage::Scores);
        document.answer(0);
        QCOMPARE(document.requestedView(), QString("output"));
        QVERIFY(document.selection().stage == Stage::Probabilities);
    }

    void theViewIsTheStepsWithoutAQuestion() {
        const test::ReadyDocument document("writing", 5);
        QVERIFY(!document.askedQuestion());
        QCOMPARE(document.requestedView(), QString("output"));
    }
};

HEADLIGHT_WIDGET_TEST(OpenedQuestionTest)
#include "tst_opened_question.moc"
