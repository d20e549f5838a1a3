// The score at the end of a lesson, and repeating the questions that were answered wrong.
#include "core/lesson/question.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/panels/lesson_score.h"

#include <QPalette>

namespace {

Index lastStep(const Document &document) {
    return std::ssize(document.session().lesson->steps) - 1;
}

bool goTo(Document &document, Index step) {
    return (document.state().lessonStep == step || document.goToStep(step).ok()) &&
           settled(document);
}

struct Scored {
    test::ReadyDocument document{"ten-things"};
    ui::LessonScore score{document};

    QString html() const { return score.html(QPalette()); }
    QString htmlAtTheEnd() {
        if (!goTo(document, lastStep(document)))
            qFatal("it is not computed");
        return html();
    }
};

/// Goes through the lesson. Answers the first `wrong` questions wrong and the others right.
std::vector<Index> answerAll(Document &document, std::size_t wrong) {
    std::vector<Index> asked;
    for (Index step = 0; step <= lastStep(document); ++step) {
        if (!goTo(document, step))
            qFatal("it is not computed");
        const core::Question *question = document.askedQuestion();
        if (!question)
            continue;
        const std::size_t right = test::valueOf(core::rightAnswer(*question, *document.trace()));
        document.answer(asked.size() < wrong ? (right + 1) % question->answers.size() : right);
        asked.push_back(step);
    }
    return asked;
}

} // namespace

class LessonScoreTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingIsCountedWithoutAnAnswer() {
        Scored scored;
        QCOMPARE(scored.htmlAtTheEnd(), QString());
        scored.document.answer({}); // skipped
        QCOMPARE(scored.html(), QString());
        QVERIFY(scored.score.askWrongAgain().ok()); // no effect, because nothing was answered wrong
        QVERIFY(!scored.document.askedQuestion());
    }

    void rightAnswersAreCounted() {
        Scored scored;
        QCOMPARE(answerAll(scored.document, 0).size(), std::size_t(10));
        QVERIFY(scored.htmlAtTheEnd().contains("10 of 10 questions right."));
        QVERIFY(!scored.html().contains("lesson:wrong"));
        QVERIFY(goTo(scored.document, 3)); // only the last step shows the score
        QCOMPARE(scored.html(), QString());
    }

    void questionsWithoutAnAnswerAreCounted() {
        Scored scored;
        Document &document = scored.document;
        Index step = 0;
        while (!document.session().lesson->steps[static_cast<std::size_t>(step)].question)
            ++step;
        QVERIFY(goTo(document, step));
        document.answer(
            test::valueOf(core::rightAnswer(*document.askedQuestion(), *document.trace())));
        const QString html = scored.htmlAtTheEnd();
        QVERIFY2(html.contains("1 of 10 questions right."), qPrintable(html));
        QVERIFY2(html.contains("9 not answered."), qPrintable(html));
    }

    void wrongAnswersAreAskedAgain() {
        Scored scored;
        Document &document = scored.document;
        const std::vector<Index> asked = answerAll(document, 2);
        QVERIFY(scored.htmlAtTheEnd().contains("8 of 10 questions right."));
        QVERIFY(scored.html().contains("lesson:wrong"));
        QVERIFY(scored.score.askWrongAgain().ok());
        QVERIFY(settled(document));
        QCOMPARE(document.state().lessonStep, asked[0]);
        for (const Index step : {asked[0], asked[1]}) {
            QVERIFY(goTo(document, step));
            const core::Question *question = document.askedQuestion();
            QVERIFY(question);
            document.answer(test::valueOf(core::rightAnswer(*question, *document.trace())));
            QVERIFY(!document.askedQuestion());
        }
        QVERIFY(goTo(document, asked[2]));
        QVERIFY(!document.askedQuestion()); // no question, because the answer was right
        QVERIFY(scored.htmlAtTheEnd().contains("10 of 10 questions right."));
        document.open(opened("bank")); // another lesson has its own score
        QCOMPARE(scored.score.rightCount(), Index(0));
    }
};

HEADLIGHT_WIDGET_TEST(LessonScoreTest)
#include "tst_lesson_score.moc"
