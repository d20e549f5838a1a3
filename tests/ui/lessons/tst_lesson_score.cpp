// The score at the end of a lesson, and asking the wrong answers again.
#include "core/lesson/question.h"
#include "tests/ui/document/document_fixture.h"
#include "ui/panels/lesson_html.h"

#include <QPalette>

namespace {

Index lastStep(const Document &document) {
    return std::ssize(document.session().lesson->steps) - 1;
}

bool goTo(Document &document, Index step) {
    return document.goToStep(step).ok() && settled(document);
}

QString htmlAtTheEnd(Document &document) {
    if (!goTo(document, lastStep(document)))
        return {};
    return ui::lessonHtml(document, QPalette(), true);
}

/// Goes through the lesson; answers every question right, or only those after `wrong`.
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
        test::ReadyDocument document("ten-things");
        const QString html = htmlAtTheEnd(document);
        QVERIFY(!html.isEmpty() && !html.contains("questions right"));
        document.answer({}); // skipped
        QVERIFY(!ui::lessonHtml(document, QPalette(), true).contains("questions right"));
    }

    void rightAnswersAreCounted() {
        test::ReadyDocument document("ten-things");
        const std::vector<Index> asked = answerAll(document, 0);
        QCOMPARE(asked.size(), std::size_t(10));
        const QString html = htmlAtTheEnd(document);
        QVERIFY(html.contains("10 of 10 questions right."));
        QVERIFY(!html.contains("wrong again"));
        QVERIFY(document.askWrongAgain().ok()); // nothing to ask
        QVERIFY(!document.askedQuestion());
        QVERIFY(goTo(document, 3)); // the score is only at the end
        QVERIFY(!ui::lessonHtml(document, QPalette(), true).contains("questions right"));
    }

    void wrongAnswersAreAskedAgain() {
        test::ReadyDocument document("ten-things");
        const std::vector<Index> asked = answerAll(document, 2);
        QVERIFY(htmlAtTheEnd(document).contains("8 of 10 questions right."));
        QVERIFY(htmlAtTheEnd(document).contains("Ask what I got wrong again"));
        QVERIFY(document.askWrongAgain().ok());
        QVERIFY(settled(document));
        QCOMPARE(document.state().lessonStep, asked[0]);
        for (const Index step : {asked[0], asked[1]}) {
            QVERIFY(goTo(document, step));
            const core::Question *question = document.askedQuestion();
            QVERIFY(question);
            document.answer(test::valueOf(core::rightAnswer(*question, *document.trace())));
        }
        QVERIFY(goTo(document, asked[2]));
        QVERIFY(!document.askedQuestion()); // it was right
        QVERIFY(htmlAtTheEnd(document).contains("10 of 10 questions right."));
    }
};

HEADLIGHT_WIDGET_TEST(LessonScoreTest)
#include "tst_lesson_score.moc"
