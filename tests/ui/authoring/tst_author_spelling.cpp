// Spelling in the lesson editor, if a dictionary is installed.
#include "tests/ui/window/lesson_editor_fixture.h"
#include "ui/panels/lesson_editor/spelling.h"

namespace {

QStringList wrongIn(const QString &text, ui::Speller &speller) {
    QStringList words;
    for (const ui::Misspelling &word : ui::misspellingsIn(text, speller))
        words << text.mid(word.at, word.length);
    return words;
}

} // namespace

class AuthorSpellingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void withoutADictionaryEveryWordIsRight() {
        ui::Speller none("xx_XX");
        QCOMPARE(wrongIn("Qwrtz qqqq", none), QStringList());
        QCOMPARE(none.suggestions("qwrtz"), QStringList());
    }

    void anInstalledDictionaryIsUsual() {
        const QStringList all{"de_AT", "de_DE", "en_US", "fr"};
        QCOMPARE(ui::usualDictionary(all, "de_DE"), QString("de_DE"));
        QCOMPARE(ui::usualDictionary(all, "de_CH"), QString("de_AT"));
        QCOMPARE(ui::usualDictionary(all, "fr_FR"), QString("fr"));
        QCOMPARE(ui::usualDictionary(all, "C"), QString("en_US"));
        QCOMPARE(ui::usualDictionary({"fr"}, "C"), QString("fr"));
        QCOMPARE(ui::usualDictionary({}, "de_DE"), QString());
    }

    void wordsAndNotMarks() {
        if (!ui::installedDictionaries().contains("en_US"))
            QSKIP("no dictionary en_US");
        ui::Speller speller("en_US");
        QCOMPARE(wrongIn("The weigth of {weights 0 0 bnak money} isn’t W_Q, d_k or x1.", speller),
                 QStringList{"weigth"});
        QCOMPARE(wrongIn("{if weights 0 0 a b > 1}Thsi{else}that{end}", speller),
                 QStringList{"Thsi"});
        QVERIFY(speller.suggestions("weigth").contains("weight"));
    }

    void aFieldIsNotEditedByItsUnderlines() {
        if (!ui::installedDictionaries().contains("en_US"))
            QSKIP("no dictionary en_US");
        LessonWindow fixture;
        const int steps = fixture.document().undoStack().count();
        auto *choice = fixture.find<QComboBox>("lessonSpelling");
        fixture.showPage("Lesson");
        choice->setCurrentIndex(choice->findText("English (United States)"));
        emit choice->activated(choice->currentIndex());
        QCOMPARE(ui::Spelling::shared().dictionary(), QString("en_US"));
        fixture.showPage("Text");
        auto *text = fixture.find<QPlainTextEdit>("stepText");
        text->setFocus();
        QTest::keyClicks(text, "teh weight ");
        QCoreApplication::processEvents();
        QVERIFY(!text->document()->firstBlock().layout()->formats().isEmpty());
        const auto formats = text->document()->firstBlock().layout()->formats();
        QCOMPARE(formats[0].start, 0);
        QCOMPARE(formats[0].length, 3);
        const int typed = fixture.document().undoStack().count();
        QVERIFY(typed > steps);
        ui::Spelling::shared().setDictionary({});
        QCoreApplication::processEvents();
        QVERIFY(text->document()->firstBlock().layout()->formats().isEmpty());
        QCOMPARE(fixture.document().undoStack().count(), typed);
    }
};

HEADLIGHT_WIDGET_TEST(AuthorSpellingTest)
#include "tst_author_spelling.moc"
