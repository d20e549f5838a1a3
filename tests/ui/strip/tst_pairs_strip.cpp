// The words of both texts of a comparison: typing A's text in place, and moving the pairs by mouse
// and keyboard.
#include "tests/ui/strip/strip_fixture.h"
#include "ui/strip/pairs_strip.h"

#include <QAccessible>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>

namespace {

using Token = PairsLayout::Token;

struct PairsFixture : StripFixture {
    explicit PairsFixture(const QString &text = {}) : StripFixture("cat") {
        if (!text.isEmpty())
            compareWith(text);
    }
    PairsStrip &pairs() const { return strip.pairs(); }
    void compareWith(const QString &text) {
        QVERIFY(document.comparison().compareWithText(text).ok());
        settleA();
    }
    void settleA() {
        QVERIFY(test::until([&] { return !document.comparison().isComputing(); }));
        settle();
    }
    core::AlignedPairs pairsNow() { return document.comparison().partners()->texts().back().pairs; }
    std::size_t columnOf(core::Index now) const { return *pairs().layoutNow().columnOf(now); }
    QPoint pointOf(std::size_t column, bool isOfA) const {
        return pairs().chipRect({column, isOfA}).center().toPoint();
    }
    void click(std::size_t column, bool isOfA, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mouseClick(&pairs(), Qt::LeftButton, modifiers, pointOf(column, isOfA));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(&pairs(), key, modifiers);
    }
    QLineEdit *edit() const { return strip.findChild<QLineEdit *>("textOfA"); }
    QStringList names() const {
        QStringList names;
        for (int item = 0; item < pairs().itemCount(); ++item)
            names << pairs().itemName(item);
        return names;
    }
};

} // namespace

class PairsStripTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void hiddenWithoutAnotherText() {
        PairsFixture fixture;
        QVERIFY(!fixture.pairs().isVisible());
        fixture.document.comparison().pin();
        QVERIFY(!fixture.pairs().isVisible());
        fixture.compareWith("The old cat sat");
        QVERIFY(fixture.pairs().isVisible());
        QVERIFY(fixture.strip.rect().contains(fixture.pairs().geometry()));
        QVERIFY(!fixture.pairs().geometry().intersects(fixture.words().geometry()));
        QVERIFY(!fixture.pairs().geometry().intersects(fixture.answer().geometry()));
        QTest::mouseClick(fixture.strip.findChild<QToolButton *>("stopComparing"), Qt::LeftButton);
        QVERIFY(!fixture.document.comparison().hasA());
        QVERIFY(!fixture.pairs().isVisible());
    }

    void aColumnForEachPairAndEachTokenWithoutPartner() {
        const PairsFixture fixture("old cat sat");
        QCOMPARE(fixture.names(),
                 (QStringList{"The, no partner in A", "old, only in A", "cat, partner in A: cat",
                              "sat, partner in A: sat", "on, no partner in A",
                              "the, no partner in A", "mat, no partner in A"}));
        const auto *list = QAccessible::queryAccessibleInterface(&fixture.pairs());
        QCOMPARE(list->child(1)->text(QAccessible::Name), QStringLiteral("old, only in A"));
    }

    void typingTheTextInPlace() {
        PairsFixture fixture;
        fixture.pairs().edit();
        QVERIFY(fixture.pairs().isVisible());
        QVERIFY(fixture.edit()->hasFocus());
        QCOMPARE(fixture.edit()->text(), fixture.texts().join(' ')); // all of the text is selected
        QVERIFY(!fixture.document.comparison().hasA());              // nothing is typed yet
        QTest::keyClicks(fixture.edit(), "The cat");
        fixture.settleA();
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{0, 0}, {1, 1}}));
        QTest::keyClick(fixture.edit(), Qt::Key_Return);
        QVERIFY(!fixture.pairs().isEditing());
        QVERIFY(fixture.pairs().hasFocus());
        // Enter opens the text field again, with A's text.
        fixture.key(Qt::Key_Return);
        QCOMPARE(fixture.edit()->text(), QStringLiteral("The cat"));
        QTest::keyClick(fixture.edit(), Qt::Key_Escape);
        QVERIFY(!fixture.pairs().isEditing());
        QCOMPARE(*fixture.document.comparison().a()->text, QStringLiteral("The cat"));
        QCOMPARE(fixture.texts().size(), qsizetype(6)); // the current text is unchanged
    }

    void escWithoutTypingComparesNothing() {
        PairsFixture fixture;
        fixture.pairs().edit();
        QTest::keyClick(fixture.edit(), Qt::Key_Escape);
        QVERIFY(!fixture.document.comparison().hasA());
        QVERIFY(!fixture.pairs().isVisible());
        // Enter accepts the text without changes.
        fixture.pairs().edit();
        QTest::keyClick(fixture.edit(), Qt::Key_Return);
        QVERIFY(fixture.document.comparison().hasA());
    }

    void aRefusedTextStays() {
        PairsFixture fixture("The old cat");
        QSignalSpy failed(&fixture.strip, &SentenceStrip::failed);
        fixture.pairs().edit();
        QTest::keyClick(fixture.edit(), Qt::Key_Backspace); // an empty text
        QCOMPARE(failed.count(), 1);
        QTest::keyClick(fixture.edit(), Qt::Key_Return);
        QVERIFY(fixture.pairs().isEditing());
        QCOMPARE(failed.count(), 2);
        QCOMPARE(fixture.pairsNow().size(), std::size_t(2)); // the pairs of the previous text
        QTest::keyClicks(fixture.edit(), "The");
        QTest::keyClick(fixture.edit(), Qt::Key_Return);
        fixture.settleA();
        QVERIFY(!fixture.pairs().isEditing());
        QCOMPARE(fixture.pairsNow().size(), std::size_t(1));
    }

    void aClickSelectsTheRow() {
        PairsFixture fixture("The old cat sat on the mat");
        fixture.click(fixture.columnOf(2), false);
        QCOMPARE(fixture.selection().query, test::some(2));
        fixture.click(fixture.columnOf(4), true); // a token of A selects its partner
        QCOMPARE(fixture.selection().query, test::some(4));
        // The strip follows the selection.
        fixture.select({.query = test::some(0)});
        QCOMPARE(fixture.pairs().currentItem(), static_cast<int>(fixture.columnOf(0)));
    }

    void draggingMakesAPair() {
        PairsFixture fixture("A dog sat");
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{2, 2}}));
        const std::size_t cat = fixture.columnOf(1);
        std::size_t dog = 0;
        for (std::size_t column = 0; column < fixture.pairs().layoutNow().columns.size(); ++column)
            if (fixture.pairs().layoutNow().columns[column].a == test::some(1))
                dog = column;
        QTest::mousePress(&fixture.pairs(), Qt::LeftButton, {}, fixture.pointOf(cat, false));
        test::moveMouse(fixture.pairs(), fixture.pointOf(dog, true));
        QTest::mouseRelease(&fixture.pairs(), Qt::LeftButton, {}, fixture.pointOf(dog, true));
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{1, 1}, {2, 2}}));
        QCOMPARE(fixture.selection().query, test::some(1));
        fixture.document.undoStack().undo();
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{2, 2}}));
        // Pairs the same tokens with Ctrl and a click.
        fixture.click(fixture.columnOf(1), false);
        for (std::size_t column = 0; column < fixture.pairs().layoutNow().columns.size(); ++column)
            if (fixture.pairs().layoutNow().columns[column].a == test::some(1))
                dog = column;
        fixture.click(dog, true, Qt::ControlModifier);
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{1, 1}, {2, 2}}));
    }

    void keysMoveAndSeparate() {
        PairsFixture fixture("A dog sat");
        fixture.pairs().setFocus();
        fixture.click(fixture.columnOf(2), false);
        fixture.key(Qt::Key_Left, Qt::ShiftModifier); // pairs “sat” with “dog”
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{2, 1}}));
        fixture.key(Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{2, 0}}));
        fixture.key(Qt::Key_Left, Qt::ShiftModifier); // there is no earlier token
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{2, 0}}));
        fixture.key(Qt::Key_Delete);
        QVERIFY(fixture.pairsNow().empty());
        fixture.key(Qt::Key_Delete); // no effect, because the token has no partner now
        QCOMPARE(fixture.document.undoStack().count(), 3);
        fixture.key(Qt::Key_Home);
        QCOMPARE(fixture.pairs().currentItem(), 0);
        fixture.key(Qt::Key_End);
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.pairs().currentItem(), fixture.pairs().itemCount() - 1);
        // A token without a partner gets the nearest one.
        fixture.key(Qt::Key_Home);
        fixture.key(Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(fixture.pairsNow().size(), std::size_t(1));
    }

    void theMenuOfAToken() {
        PairsFixture fixture("A dog sat");
        fixture.click(fixture.columnOf(2), false);
        QMenu menu;
        fixture.pairs().fillMenu(menu, Token{fixture.columnOf(2), true});
        QStringList texts;
        for (QAction *action : menu.actions())
            texts << action->text().remove('&');
        QCOMPARE(texts, (QStringList{"Separate “sat” from “sat”", "Pair automatically",
                                     "Edit the text of A", "Stop comparing"}));
        QVERIFY(!menu.actions()[1]->isEnabled()); // words are already paired with equal words
        menu.actions()[0]->trigger();
        QVERIFY(fixture.pairsNow().empty());
        QMenu again;
        fixture.pairs().fillMenu(again, {});
        QVERIFY(again.actions()[0]->isEnabled());
        again.actions()[0]->trigger();
        QCOMPARE(fixture.pairsNow(), (core::AlignedPairs{{2, 2}}));
    }

    /// In a short window, the words take the space of the pairs, unless A's text is being typed.
    void theTypedTextIsVisibleInALowWindow() {
        PairsFixture fixture("The old cat sat");
        constexpr int low = 60; // px
        (void)fixture.strip.layOutFor(fixture.strip.width(), low);
        QVERIFY(!fixture.pairs().isVisibleTo(&fixture.strip));
        fixture.pairs().edit();
        const int height = fixture.strip.layOutFor(fixture.strip.width(), low);
        QVERIFY(fixture.pairs().isVisibleTo(&fixture.strip));
        QVERIFY(height > fixture.pairs().geometry().bottom());
    }

    /// Another text of A may arrive while the menu is open.
    void theMenuKeepsItsTexts() {
        PairsFixture fixture("A dog sat");
        fixture.click(fixture.columnOf(1), false);
        QMenu menu;
        fixture.pairs().fillMenu(menu, Token{fixture.columnOf(2), true});
        QCOMPARE(menu.actions().size(), qsizetype(5)); // includes “Pair …”
        QVERIFY(fixture.document.comparison().setTextOfA("The sat").ok());
        fixture.settleA();
        const core::AlignedPairs pairs = fixture.pairsNow();
        menu.actions()[0]->trigger();
        menu.actions()[1]->trigger();
        fixture.settleA();
        QCOMPARE(fixture.pairsNow(), pairs); // the old menu does not change the new pairs
        QVERIFY(fixture.document.comparison().setTextOfA("A dog sat").ok());
        fixture.settleA();
        QVERIFY(fixture.pairsNow() != (core::AlignedPairs{{2, 2}}));
    }

    void longTextsScroll() {
        PairsFixture fixture(QStringLiteral("word ").repeated(200) + "mat");
        fixture.select({.query = test::some(0)});
        const auto last = static_cast<std::size_t>(fixture.pairs().itemCount()) - 1;
        QVERIFY(!fixture.pairs().rect().contains(fixture.pointOf(last, true)));
        fixture.select({.query = test::some(5)});
        QVERIFY(fixture.pairs().rect().contains(fixture.pointOf(last, true)));
        fixture.pairs().setFocus();
        fixture.key(Qt::Key_Home);
        QVERIFY(fixture.pairs().rect().contains(fixture.pointOf(0, true)));
    }

    /// With A shown, the words above are A's. A word without a partner cannot be selected.
    void theWordsOfA() {
        PairsFixture fixture("The old cat sat on the mat");
        fixture.document.comparison().show(ComparisonSide::A);
        QCOMPARE(fixture.texts().size(), qsizetype(7));
        StripFixture &words = fixture;
        words.click(6);
        QCOMPARE(fixture.selection().query, test::some(5));
        QCOMPARE(fixture.sentence().selected, test::some(6));
        words.click(0);
        fixture.words().setFocus();
        words.key(Qt::Key_Right); // skips “old”
        QCOMPARE(fixture.sentence().selected, test::some(2));
        QCOMPARE(fixture.selection().query, test::some(1));
        words.key(Qt::Key_Left);
        QCOMPARE(fixture.selection().query, test::some(0));
        // Home goes to the first word that has a partner.
        fixture.compareWith("My cat sat on the mat there");
        words.click(4);
        QCOMPARE(fixture.sentence().selected, test::some(4));
        words.key(Qt::Key_Home);
        QCOMPARE(fixture.sentence().selected, test::some(1));
        words.key(Qt::Key_End);
        QCOMPARE(fixture.sentence().selected, test::some(5));
    }
};

HEADLIGHT_WIDGET_TEST(PairsStripTest)
#include "tst_pairs_strip.moc"
