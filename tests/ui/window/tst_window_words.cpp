// All text in the window. No sentence has two full stops, no title has a line break, and the first
// lesson can be read without the glossary.
#include "tests/support/shown_texts.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/document/edits/lesson_edits.h"
#include "ui/text/sentences.h"

namespace {

/// Returns all text of the window, including closed and hidden parts.
QStringList readIn(ui::MainWindow &window) {
    QStringList all = test::allTextsOf(window);
    for (ui::FigureView *view : window.findChildren<ui::FigureView *>())
        if (view->figure())
            all << view->figure()->description();
    const ui::Document &document = window.document();
    all << ui::suggestedCaption(document.session(), document.state(), document.selection());
    all.removeAll(QString());
    return all;
}

/// Returns what a reader of the first lesson sees, without markup.
QStringList seenIn(WindowFixture &fixture) {
    static const QRegularExpression tag("<[^>]*>");
    QStringList seen{fixture.view()->figure()->description()};
    for (const QWidget *widget : fixture.window.findChildren<QWidget *>()) {
        if (!widget->isVisible())
            continue;
        if (const auto *box = qobject_cast<const QComboBox *>(widget))
            seen << box->currentText() << box->toolTip();
        else
            seen << test::textsOf(*widget);
    }
    for (core::Index row = 0; row < 2; ++row)
        for (core::Index column = 0; column < 2; ++column)
            seen << fixture.view()->wordsOf(ui::Cell{row, column});
    return seen.replaceInStrings(tag, QString());
}

/// Returns the first text with a doubled full stop, or an empty string. A token “.” does not count.
QString endedTwice(const QStringList &texts) {
    static const QRegularExpression twice(
        QStringLiteral("\\w([.!?][\"“”»’]\\.|\\.\\.(?!\\.)|[!?]\\.)"),
        QRegularExpression::UseUnicodePropertiesOption);
    for (const QString &text : texts)
        if (text.contains(twice))
            return text;
    return {};
}

} // namespace

class WindowWordsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aSentenceEndsOnce() {
        for (const QString &sentence :
             {QStringLiteral("“The animal was tired.”"), QStringLiteral("“Who?”"),
              QStringLiteral("„Wer?“"), QStringLiteral("Over"), QStringLiteral("«Fini.»"),
              QStringLiteral("Done."), QStringLiteral("It said \"no!\"")}) {
            const QString text = ui::ended(sentence);
            QVERIFY2(endedTwice({text}).isEmpty(), qPrintable(text));
            QVERIFY(text == sentence || text == sentence + '.');
        }
        QCOMPARE(ui::ended("Over"), QString("Over."));
        QCOMPARE(ui::ended(QStringLiteral("“Over”")), QStringLiteral("“Over”."));
        QCOMPARE(ui::ended(QStringLiteral("“Over.”")), QStringLiteral("“Over.”"));
    }

    void noSentenceInTheWindowEndsTwice_data() {
        QTest::addColumn<QString>("source");
        for (const QString &lesson : ui::lessonIds())
            QTest::newRow(qPrintable(lesson)) << lesson;
        QTest::newRow("decoder") << test::sessionPath("gpt_neox");
        QTest::newRow("example") << ui::translationExample();
    }

    /// Covers every lesson, even with a text, a word or a title that ends in a full stop.
    void noSentenceInTheWindowEndsTwice() {
        QFETCH(QString, source);
        WindowFixture fixture(source, "close-up");
        QCOMPARE(endedTwice(readIn(fixture.window)), QString());
        ui::Document &document = fixture.document();
        if (!test::typeText(document, "The animal was too tired.").ok())
            return; // this model reads only words of its vocabulary
        fixture.settle();
        QCOMPARE(endedTwice(readIn(fixture.window)), QString());
        // selects the full stop
        test::select(
            document,
            {.query = document.trace()->batch().length() - 1, .key = 0, .dimension = test::none()});
        QCOMPARE(endedTwice(readIn(fixture.window)), QString());
    }

    void aTitleOfTwoLinesIsReadOnOne() {
        WindowFixture fixture("bank", "close-up");
        ui::Document &document = fixture.document();
        QVERIFY(document
                    .apply(ui::edits::editLesson(document.state(), document.session(), "Titles",
                                                 [](ui::LessonDraft &draft) {
                                                     draft.title = "Two\nlines";
                                                     for (auto &step : draft.lesson.steps)
                                                         step.title = "Of\ntwo\r\n lines";
                                                 }))
                    .ok());
        fixture.goToStep(1);
        fixture.find<QPushButton>("lessonSteps")->menu()->aboutToShow();
        const QStringList all = readIn(fixture.window);
        static const QRegularExpression broken(QStringLiteral("Two\\s*\\n|Of\\s*\\n|two\\s*\\n"));
        for (const QString &text : all)
            QVERIFY2(!text.contains(broken), qPrintable(text));
        QVERIFY(!all.filter("Of two lines").isEmpty());
        QVERIFY(!all.filter("Two lines").isEmpty());
    }

    void noWordNeedsAGlossary() {
        WindowFixture fixture(ui::openingLesson(), "close-up");
        const auto count = fixture.stepCount();
        static const QRegularExpression learned(
            "\\bTF-?IDF\\b|\\bnats?\\b|\\bbits\\b|entropy|one-hot|\\blogits?\\b|\\d+ of \\d+ "
            "stages|"
            "\\btensors?\\b|\\bkernel|\\bbackward|\\bsafetensors|perplexity|\\bbag of words",
            QRegularExpression::CaseInsensitiveOption);
        for (core::Index step = 0; step < count; ++step) {
            if (step > 0)
                fixture.goToStep(step);
            const QStringList seen = seenIn(fixture);
            QVERIFY(seen.join(' ').size() > 500);
            for (const QString &words : seen)
                QVERIFY2(!words.contains(learned), test::said("step %1: %2", step, words));
        }
    }

    /// The text is also correct after an edit that recomputes only later stages.
    void whatWasComputedAgainIsSaidInWords() {
        WindowFixture fixture(ui::openingLesson(), "close-up");
        ui::Document &document = fixture.document();
        QVERIFY(test::setScale(document, {core::Scale::Kind::Off, 1}).ok());
        fixture.settle();
        const QString seen = seenIn(fixture).join('\n');
        QVERIFY2(!seen.contains("stages computed") && !seen.contains("self_attention"),
                 qPrintable(seen));
        QVERIFY(test::says(seen, {"computed in ", "Recomputed: scaled scores"}));
    }
};

HEADLIGHT_WIDGET_TEST(WindowWordsTest)
#include "tst_window_words.moc"
