// The text of lessons after each *Try it*, in its step and, if the change is kept, in all other
// steps. Wrong statements must be struck out, and no number may be missing.
#include "tests/ui/document/document_fixture.h"
#include "tests/ui/document/lesson_tries/claims.h"
#include "tests/ui/document/lesson_tries/said.h"
#include "tests/ui/document/lesson_tries/try.h"

using test::Try;

namespace {

QSet<QString> wordsOf(const core::Input &input) {
    QSet<QString> words;
    for (const core::BatchPointer &batch : {input.batch, input.source})
        if (batch)
            for (const core::Sequence &sequence : batch->sequences())
                for (const core::Token &token : sequence.tokens)
                    words << QString::fromStdString(token.text);
    return words;
}

/// Returns the texts of all steps, without emphasis.
QString textsOf(const core::Lesson &lesson) {
    std::string all;
    for (const core::LessonStep &step : lesson.steps) {
        for (const std::string &paragraph : step.text)
            all += paragraph + '\n';
        all += step.tryIt + '\n' + step.mistake + '\n';
    }
    return QString::fromStdString(all).remove('*');
}

void checkTexts(Document &document) {
    QVERIFY(test::settled(document));
    const core::Trace &trace = *document.trace();
    const QString said = test::saidBy(document);
    for (const QChar sign : QString("…{}*"))
        QVERIFY2(!said.contains(sign) && !test::struckOutBy(document).contains(sign),
                 test::whereIs(document));
    QVERIFY2(!said.contains(" ,") && !said.contains(" .") && !said.contains("..") &&
                 !said.contains(", ,") && !said.contains("()"),
             test::whereIs(document));
    for (const test::Claim &claim : test::allClaims())
        if (said.contains(claim.words))
            QVERIFY2(claim.holds(trace), claim.words + ("\n" + test::whereIs(document)));
    // The text must not name words that are no longer in the input.
    const ui::DocumentState base = ui::baseAt(document.session(), document.state().lessonStep);
    QSet<QString> gone = wordsOf(base.input) - wordsOf(document.state().input);
    if (document.state().model.vocabulary)
        gone.clear(); // the text is about the vocabulary, not only the input
    for (const QString &word : test::namedBy(document))
        QVERIFY2(!gone.contains(word), word.toUtf8() + " is gone\n" + test::whereIs(document));
}

std::vector<Try> triesAndHints() {
    std::vector<Try> all = test::allTries();
    std::ranges::move(test::triesOfHints(), std::back_inserter(all));
    return all;
}

} // namespace

class LessonTriesTest : public QObject {
    Q_OBJECT

  private slots:
    void everyTryItIsTried() {
        const std::vector<Try> all = test::allTries();
        for (const QString &id : ui::lessonIds() + QStringList{ui::translationExample()}) {
            const auto session = test::valueOf(ui::readLesson(id));
            for (Index step = 0; step < std::ssize(session.lesson->steps); ++step) {
                const bool hasOne =
                    !session.lesson->steps[static_cast<std::size_t>(step)].tryIt.empty();
                const bool isTried = std::ranges::any_of(
                    all, [&](const Try &each) { return each.lesson == id && each.step == step; });
                QVERIFY2(hasOne == isTried, test::said("%1, step %2", id, step));
            }
        }
    }

    void everyHintOfAnExerciseIsFollowed() {
        const std::vector<Try> all = test::triesOfHints();
        for (const QString &id : ui::lessonIds()) {
            const auto session = test::valueOf(ui::readLesson(id));
            for (Index step = 0; step < std::ssize(session.lesson->steps); ++step) {
                const auto &exercise =
                    session.lesson->steps[static_cast<std::size_t>(step)].exercise;
                bool lastIsFollowed = !exercise;
                for (const Try &each : all)
                    if (each.lesson == id && each.step == step) {
                        QVERIFY2(exercise && std::ranges::count(exercise->hints,
                                                                each.name.toStdString()) == 1,
                                 qPrintable(each.name));
                        lastIsFollowed |= exercise->hints.back() == each.name.toStdString();
                    }
                QVERIFY2(lastIsFollowed, test::said("%1, step %2", id, step));
            }
        }
    }

    /// Words that no lesson has would check nothing.
    void everyCheckedTextIsInALesson() {
        QMap<QString, QString> texts;
        for (const QString &id : ui::lessonIds() + QStringList{ui::translationExample()})
            texts[id] = textsOf(*test::valueOf(ui::readLesson(id)).lesson);
        const QString all = texts.values().join('\n');
        for (const test::Claim &claim : test::allClaims())
            QVERIFY2(all.contains(claim.words), claim.words);
        for (const Try &each : triesAndHints())
            for (const QString &words : each.struck)
                QVERIFY2(texts[each.lesson].contains(words),
                         qPrintable(each.lesson + ": " + words));
    }

    void whatIsSaidIsSo_data() {
        QTest::addColumn<int>("index");
        const std::vector<Try> all = triesAndHints();
        for (std::size_t i = 0; i < all.size(); ++i)
            QTest::newRow(qPrintable(all[i].lesson + ": " + all[i].name)) << static_cast<int>(i);
    }

    void whatIsSaidIsSo() {
        QFETCH(int, index);
        const Try tried = triesAndHints()[static_cast<std::size_t>(index)];
        test::ReadyDocument document(tried.lesson, tried.step);
        QVERIFY(test::struckOutBy(document).isEmpty());
        checkTexts(document);
        const core::TracePointer before = document.trace();
        tried.act(document);
        checkTexts(document);
        QVERIFY2(!tried.promised || tried.promised(document, *before), test::whereIs(document));
        for (const QString &words : tried.said)
            QVERIFY2(test::saidBy(document).contains(words),
                     qPrintable(words + "\n" + test::whereIs(document)));
        for (const QString &words : tried.struck)
            QVERIFY2(!test::saidBy(document).contains(words),
                     qPrintable(words + "\n" + test::whereIs(document)));
        // Visits every step while the change is in effect.
        const auto count = std::ssize(document.session().lesson->steps);
        for (Index step = 0; step < count; ++step) {
            QVERIFY(document.goToStep(step).ok());
            checkTexts(document);
        }
        // Reset restores the lesson whatever was tried.
        QVERIFY(document.resetEdits().ok());
        QVERIFY(test::settled(document));
        QVERIFY2(test::struckOutBy(document).isEmpty(), test::whereIs(document));
        QVERIFY(!document.isEdited());
    }
};

HEADLIGHT_GUILESS_TEST(LessonTriesTest)
#include "tst_lesson_tries.moc"
