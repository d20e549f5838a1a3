// Side A as another text, which follows the document. Its tokens have partners, and the user's
// pairs are undone like edits.
#include "tests/ui/document/document_fixture.h"
#include "ui/compare/nearest_selectable.h"
#include "ui/document/edits/pair_edits.h"

using namespace headlight::ui;

namespace {

const QString kLonger = QStringLiteral("The old cat sat on the mat");
const QString kShorter = QStringLiteral("cat sat mat");

struct ComparedTextFixture {
    Document document;

    explicit ComparedTextFixture(const QString &source = "cat") {
        document.open(opened(source));
        settle();
    }
    void settle() { QVERIFY(settled(document)); }
    Comparison &comparison() { return document.comparison(); }
    void compareWith(const QString &text) {
        QVERIFY(comparison().compareWithText(text).ok());
        QVERIFY(test::until([&] { return !comparison().isComputing(); }));
    }
    QStringList wordsOfA() {
        QStringList words;
        for (const core::Token &token : comparison().compared().a->batch()[0].tokens)
            words << QString::fromStdString(token.text);
        return words;
    }
    core::AlignedText text() { return comparison().partners()->texts().back(); }
};

} // namespace

class ComparedTextsTest : public QObject {
    Q_OBJECT

  private slots:
    void anotherTextOfTheSameModel() {
        ComparedTextFixture fixture;
        fixture.compareWith(kLonger);
        QVERIFY(fixture.comparison().shown() == ComparisonSide::Difference);
        QVERIFY(fixture.comparison().followsDocument());
        const Compared compared = fixture.comparison().compared();
        QCOMPARE(compared.name, QStringLiteral("“%1”").arg(kLonger));
        QVERIFY(compared.partners);
        QCOMPARE(fixture.wordsOfA(), kLonger.split(' '));
        QCOMPARE(compared.partners->inA(0, 1), test::some(2));
        QVERIFY(!compared.partners->inNow(0, 1));
        // A has the same numbers as a document into which its text was typed.
        Document alone;
        alone.open(opened("cat"));
        QVERIFY(test::typeText(alone, kLonger).ok());
        QVERIFY(settled(alone));
        QCOMPARE(compared.a->stage(Stage::AttentionWeights).values(),
                 alone.trace()->stage(Stage::AttentionWeights).values());
        fixture.comparison().unpin();
        QVERIFY(!fixture.comparison().followsDocument());
        QVERIFY(!fixture.comparison().partners());
    }

    /// An edit that changes no text does not read and align A's text again.
    void editsOfTheModelKeepTheText() {
        ComparedTextFixture fixture;
        fixture.compareWith(kLonger);
        const core::BatchPointer batch = fixture.comparison().a()->state.input.batch;
        const core::TokenPartnersPointer partners = fixture.comparison().partners();
        QVERIFY(partners);
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        QVERIFY(fixture.comparison().a()->state.input.batch == batch);
        QVERIFY(!fixture.comparison().a()->state.input.masks.empty());
        fixture.settle();
        QVERIFY(test::until([&] { return !fixture.comparison().isComputing(); }));
        QVERIFY(fixture.comparison().partners() == partners);
    }

    /// If A is pinned, its selected sequence gets the other text.
    void anotherTextOfTheShownSequence() {
        ComparedTextFixture fixture("batch");
        fixture.comparison().pin();
        core::Selection at = fixture.document.selection();
        const Index before = at.sequence;
        at.sequence = before == 0 ? 1 : 0;
        const core::BatchPointer own = fixture.document.state().input.batch;
        const QString word = QString::fromStdString((*own)[at.sequence][0].text);
        fixture.document.select(at);
        QCOMPARE(fixture.comparison().sequenceOfA(), at.sequence);
        QVERIFY(fixture.comparison().setTextOfA(word).ok());
        const core::Batch &batch = *fixture.comparison().a()->state.input.batch;
        QCOMPARE(batch[at.sequence].length, Index(1));
        QCOMPARE(batch[before].length, (*own)[before].length);
        QCOMPARE(fixture.comparison().sequenceOfA(), at.sequence);
    }

    void editsOfTheModelAreMadeOnBothSides() {
        ComparedTextFixture fixture;
        fixture.compareWith(kLonger);
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        fixture.settle();
        QVERIFY(test::until([&] { return !fixture.comparison().isComputing(); }));
        QVERIFY(fixture.comparison().compared().a->mask(0).hidden(0, 1));
        // An edit of the text changes the current side only.
        QVERIFY(test::typeText(fixture.document, kShorter).ok());
        fixture.settle();
        QVERIFY(test::until([&] { return !fixture.comparison().isComputing(); }));
        QCOMPARE(fixture.wordsOfA(), kLonger.split(' '));
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{0, 2}, {1, 3}, {2, 6}}));
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.text().now.size(), std::size_t(6));
        fixture.document.open(opened("bank"));
        QVERIFY(!fixture.comparison().hasA()); // A's model is closed
    }

    void anotherTextOfA() {
        ComparedTextFixture fixture;
        fixture.compareWith(kLonger);
        fixture.comparison().show(ComparisonSide::A);
        QVERIFY(fixture.comparison().setTextOfA(kShorter).ok());
        QVERIFY(test::until([&] { return !fixture.comparison().isComputing(); }));
        QCOMPARE(fixture.wordsOfA(), kShorter.split(' '));
        QVERIFY(fixture.comparison().shown() == ComparisonSide::A); // the shown side stays
        QCOMPARE(fixture.document.state().input.batch->length(), Index(6));
    }

    void aRefusedTextChangesNothing() {
        ComparedTextFixture fixture;
        QVERIFY(!fixture.comparison().compareWithText("").ok());
        QVERIFY(!fixture.comparison().hasA());
        fixture.compareWith(kLonger);
        QVERIFY(!fixture.comparison().setTextOfA("  ").ok());
        QCOMPARE(fixture.wordsOfA(), kLonger.split(' '));
    }

    void anotherModelReadsTheText() {
        ComparedTextFixture fixture;
        fixture.comparison().compareWith(opened("sentence"));
        QVERIFY(test::until([&] { return fixture.comparison().compared().a != nullptr; }));
        const core::Model model = fixture.comparison().a()->state.model;
        QVERIFY(fixture.comparison().setTextOfA("The cat sat on the mat").ok());
        QVERIFY(test::until([&] { return !fixture.comparison().isComputing(); }));
        QVERIFY(!fixture.comparison().followsDocument());
        QVERIFY(fixture.comparison().a()->state.model == model);
        QCOMPARE(fixture.wordsOfA().size(), qsizetype(6));
        QVERIFY(!fixture.comparison().compared().partners); // tokens are compared by position
        QVERIFY(fixture.comparison().compared().name.startsWith("sentence"));
    }

    void textsOfEqualLengthAreComparedByPosition() {
        ComparedTextFixture fixture;
        fixture.compareWith("The dog sat on the mat");
        QVERIFY(fixture.comparison().partners()->isByPosition());
        QVERIFY(!fixture.comparison().compared().partners);
    }

    void theSelectionHasAPartner() {
        ComparedTextFixture fixture;
        fixture.compareWith(kLonger);
        Compared compared = fixture.comparison().compared();
        core::Selection at = fixture.document.selection();
        at.query = 5;
        at.key = 0;
        QCOMPARE(inA(compared, at).query, test::some(6));
        QCOMPARE(inA(compared, at).key, test::some(0));
        QCOMPARE(onShownSide(compared, at).query,
                 test::some(5)); // the difference has the current positions
        compared.shown = ComparisonSide::A;
        QCOMPARE(onShownSide(compared, at).query, test::some(6));
        at.query = 6;
        QCOMPARE(onCurrentSide(compared, at).query, test::some(5));
        at.query = 1; // this token is only in A
        QVERIFY(!onCurrentSide(compared, at).query);
        // A shorter A lacks partners for some tokens.
        fixture.compareWith(kShorter);
        compared = fixture.comparison().compared();
        at.query = 4;
        QVERIFY(!inA(compared, at).query);
        at.query = 5;
        QCOMPARE(inA(compared, at).query, test::some(2));
    }

    void pairsOfTheUserAreUndone() {
        ComparedTextFixture fixture;
        fixture.compareWith("A dog sat");
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{2, 2}}));
        const core::AlignedText before = fixture.text();
        int told = 0;
        connect(&fixture.document, &Document::changed, this,
                [&](const ChangeEvent &event) { told += is<ComparisonChanged>(event); });
        QVERIFY(fixture.document
                    .apply(edits::pairTokens(fixture.document.state(), fixture.text(), {1, 1}))
                    .ok());
        QCOMPARE(told, 1);
        QVERIFY(!fixture.document.isModified()); // pairs are not saved
        QVERIFY(!fixture.document.traceIsStale());
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{1, 1}, {2, 2}}));
        QCOMPARE(fixture.document.undoStack().undoText(),
                 QStringLiteral("Pair “cat” with “dog” of A"));
        // A new pair removes the pairs that it crosses.
        QVERIFY(fixture.document
                    .apply(edits::pairTokens(fixture.document.state(), fixture.text(), {5, 0}))
                    .ok());
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{5, 0}}));
        fixture.document.undoStack().undo();
        QVERIFY(fixture.document
                    .apply(edits::separateToken(fixture.document.state(), fixture.text(), 2))
                    .ok());
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{1, 1}}));
        QVERIFY(fixture.document.apply(edits::alignAgain(fixture.document.state(), fixture.text()))
                    .ok());
        QCOMPARE(fixture.text(), before);
        for (int step = 0; step < 3; ++step)
            fixture.document.undoStack().undo();
        QCOMPARE(fixture.text(), before);
        fixture.document.undoStack().redo();
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{1, 1}, {2, 2}}));
        // Reset affects the model, but not the pairs.
        QVERIFY(test::setMasks(fixture.document, {core::CausalMask{}}));
        QVERIFY(fixture.document.resetEdits().ok());
        fixture.settle();
        QVERIFY(test::until([&] { return !fixture.comparison().isComputing(); }));
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{1, 1}, {2, 2}}));
        // Another text of A does not get the old pairs.
        fixture.compareWith("A dog sat down");
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{2, 2}}));
        fixture.compareWith("A dog sat");
        QCOMPARE(fixture.text().pairs, (core::AlignedPairs{{1, 1}, {2, 2}}));
        QVERIFY(!fixture.document
                     .apply(edits::pairTokens(fixture.document.state(), fixture.text(), {6, 0}))
                     .ok());
    }

    void stepsOverTokensWithoutPartner() {
        const auto isEven = [](Index token) { return token % 2 == 0; };
        QCOMPARE(nearestSelectable(4, 1, 8, isEven), test::some(4));
        QCOMPARE(nearestSelectable(3, 1, 8, isEven), test::some(4));
        QCOMPARE(nearestSelectable(3, -1, 8, isEven), test::some(2));
        QCOMPARE(nearestSelectable(7, 1, 8, isEven), test::some(6)); // no even index follows
        QVERIFY(!nearestSelectable(0, -1, 8, [](Index) { return false; }));
    }

    /// Long texts are aligned on a worker. Until then there is no side A to compare with.
    void longTextsInTheBackground() {
        ComparedTextFixture fixture;
        const auto textOf = [](const QString &first, int count) {
            QStringList words;
            for (int word = 0; word < count; ++word)
                words << first + QString::number(word % 7);
            return words.join(' ');
        };
        QVERIFY(test::typeText(fixture.document, textOf("a", 1100)).ok());
        fixture.settle();
        QVERIFY(fixture.comparison().compareWithText(textOf("b", 1000) + " a3").ok());
        // The first request starts the worker, which delivers its result as an event.
        bool hasWaited = false;
        QVERIFY(test::until([&] {
            const Compared compared = fixture.comparison().compared();
            const bool isWaiting = !fixture.comparison().isComputing() && !compared.a;
            hasWaited |= isWaiting && fixture.comparison().isBusy();
            return compared.a != nullptr;
        }));
        QVERIFY(hasWaited);
        QVERIFY(test::until([&] { return fixture.comparison().compared().a != nullptr; }));
        QVERIFY(fixture.comparison().compared().partners);
        QCOMPARE(fixture.text().pairs.size(), std::size_t(1));
    }
};

HEADLIGHT_WIDGET_TEST(ComparedTextsTest)
#include "tst_compared_texts.moc"
