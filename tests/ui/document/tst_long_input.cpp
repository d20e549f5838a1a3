// A long input on many layers: the trace has details of one layer only. Another layer is selected
// after the worker has computed it, so the window never waits.
#include "core/selection/selected.h"
#include "core/transformer/trace/trace.h"
#include "tests/support/long_input.h"
#include "tests/ui/document/document_fixture.h"

using test::longInput;

namespace {

core::Selection inLayer(core::Index layer, core::Stage stage = core::Stage::AttentionWeights) {
    core::Selection selection;
    selection.layer = layer;
    selection.stage = stage;
    return selection;
}

} // namespace

class LongInputTest : public QObject {
    Q_OBJECT

  private slots:
    void anotherLayerIsSelectedOnceItIsMade() {
        test::ReadyDocument document(longInput());
        QVERIFY(!document.trace()->isWhole());
        QVERIFY(document.trace()->isReady(core::Stage::AttentionWeights, 0));
        QVERIFY(!document.trace()->isReady(core::Stage::AttentionWeights, 5));
        int started = 0;
        connect(&document, &Document::changed, this, [&](const ui::ChangeEvent &event) {
            started += ui::is<ui::PreparationStarted>(event) ? 1 : 0;
        });
        document.select(inLayer(5));
        QCOMPARE(started, 1);
        QVERIFY(document.isPreparing());
        QCOMPARE(document.selection().layer, core::Index(0));
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(5));
        QVERIFY(!document.isPreparing());
        QVERIFY(document.trace()->isReady(core::Stage::AttentionWeights, 5));
        QCOMPARE(document.trace()->stage(core::Stage::AttentionWeights, 5).shape(),
                 core::Shape({1, 8, 400, 400}));
        document.select(
            inLayer(5, core::Stage::Scores)); // immediate: the layer's details are computed
        QCOMPARE(document.selection().stage, core::Stage::Scores);
    }

    void theNewestSelectionCounts() {
        test::ReadyDocument document(longInput());
        document.select(inLayer(3));
        document.select(inLayer(9));
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(9));
        document.select(inLayer(4));
        document.select(inLayer(9)); // still the selected layer, so the request is dropped
        QVERIFY(!document.isPreparing());
        QVERIFY(test::idle(document));
        QCOMPARE(document.selection().layer, core::Index(9));
    }

    /// Keys that go to the next layer start from the layer that is being computed. Going back to
    /// the shown layer ends the wait.
    void aSelectionThatWaits() {
        test::ReadyDocument document(longInput());
        int started = 0, ended = 0;
        connect(&document, &Document::changed, this, [&](const ui::ChangeEvent &event) {
            started += ui::is<ui::PreparationStarted>(event) ? 1 : 0;
            ended += ui::is<ui::PreparationEnded>(event) ? 1 : 0;
        });
        QCOMPARE(document.requestedSelection(), document.selection());
        document.select(inLayer(3));
        QCOMPARE(document.selection().layer, core::Index(0));
        QCOMPARE(document.requestedSelection().layer, core::Index(3));
        document.select(inLayer(3)); // the computation does not start again
        QCOMPARE(started, 1);
        document.select(inLayer(4));
        QCOMPARE(started, 2);
        QCOMPARE(ended, 0);
        document.select(document.selection());
        QCOMPARE(ended, 1);
        QVERIFY(!document.isPreparing());
        QVERIFY(!document.slowPass().isPreparing());
        QCOMPARE(document.requestedSelection().layer, core::Index(0));
        QVERIFY(test::idle(document));
        QCOMPARE(document.selection().layer, core::Index(0));
    }

    void anEditWhileItIsMadeKeepsIt() {
        test::ReadyDocument document(longInput());
        document.select(inLayer(7));
        QVERIFY(test::setMasks(document, {}).ok());
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(7));
        QVERIFY(settled(document));
        QVERIFY(document.trace()->isReady(core::Stage::AttentionWeights, 7));
        QVERIFY(!document.trace()->mask(0).hidesAnything());
    }

    /// A short text has all layers. For a long one, the selected layer must be computed first.
    void anotherLayerMeanwhileIsMadeToo() {
        test::ReadyDocument document(longInput(5));
        QVERIFY(document.trace()->isWhole());
        QStringList words;
        for (int word = 0; word < 400; ++word)
            words << "word" + QString::number(word);
        QVERIFY(test::typeText(document, words.join(' ')).ok());
        document.select(inLayer(5));
        QCOMPARE(document.selection().layer, core::Index(5));
        QVERIFY(settled(document));
        QVERIFY(!document.trace()->isWhole());
        QVERIFY(document.trace()->isReady(core::Stage::AttentionWeights, 5));
        QCOMPARE(document.selection().layer, core::Index(5));
    }

    void sideAIsMadeElsewhere() {
        test::ReadyDocument document(longInput());
        document.comparison().pin();
        document.comparison().show(ui::ComparisonSide::Difference);
        QVERIFY(document.comparison().compared().a);
        document.select(inLayer(5));
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(5));
        const core::TracePointer pinned = document.comparison().compared().a;
        QVERIFY(!pinned || pinned->isReady(core::Stage::AttentionWeights, 5));
        HEADLIGHT_UNTIL(document.comparison().compared().a);
        QVERIFY(document.comparison().compared().a->isReady(core::Stage::AttentionWeights, 5));
    }

    /// Only the selected row of the probabilities is computed, by the worker.
    void aRowOfManyWordsIsSelectedOnceItIsMade() {
        test::ReadyDocument document(test::longTextOfManyWords());
        QVERIFY(document.trace()->isByRow(core::Stage::Probabilities));
        const std::size_t before = core::stagesMadeOnThisThread();
        for (const core::Index row : {5, 2047}) {
            core::Selection selection = inLayer(0, core::Stage::Probabilities);
            selection.query = row;
            selection.dimension = 65999;
            QVERIFY(!document.trace()->isRowReady(core::Stage::Probabilities, 0, row));
            document.select(selection);
            QVERIFY(document.isPreparing());
            HEADLIGHT_UNTIL_EQUAL(document.selection().query, test::some(row));
            QCOMPARE(document.selection().stage, core::Stage::Probabilities);
            QVERIFY(document.trace()->isRowReady(core::Stage::Probabilities, 0, row));
            QVERIFY(core::valueAt(*document.trace(), document.selection()).ok());
        }
        QVERIFY(document.trace()->stage(core::Stage::Probabilities).isNull());
        core::Selection word = document.selection();
        word.dimension = 7;
        document.select(word); // immediate: its row is computed
        QVERIFY(!document.isPreparing());
        QCOMPARE(core::stagesMadeOnThisThread(), before);
    }

    void stoppingStaysWhereItWas() {
        test::ReadyDocument document(longInput());
        document.select(inLayer(2));
        document.cancelComputation();
        QVERIFY(!document.isPreparing());
        QVERIFY(test::idle(document));
        QCOMPARE(document.selection().layer, core::Index(0));
        QCOMPARE(document.undoStack().count(), 0);
        document.select(inLayer(2));
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(2));
    }
};

HEADLIGHT_GUILESS_TEST(LongInputTest)
#include "tst_long_input.moc"
