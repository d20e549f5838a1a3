// A long input on many layers: the trace holds the details of one layer, and another one is
// selected once it is made, so that the window never waits for it.
#include "tests/support/large_model.h"
#include "tests/support/opened.h"

using namespace headlight;
using test::settled;
using ui::Document;

namespace {

/// 24 layers that share their weights; every stage together would take some 500 MB.
ui::OpenedSource longInput() {
    ui::OpenedSource opened = test::opened("");
    core::Model model = test::largeModel(16, 8);
    model.weights.main.layers.resize(24, model.weights.main.layers.front());
    opened.state.model = model;
    opened.state.input = {test::wordBatch(400), {core::CausalMask{}}};
    opened.session.model = opened.state.model;
    opened.session.input = opened.state.input;
    opened.session.lesson.reset();
    opened.state.lessonStep = 0;
    opened.selection = {};
    return opened;
}

core::Selection inLayer(core::Index layer, core::Stage stage = core::Stage::Weights) {
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
        Document document;
        document.open(longInput());
        QVERIFY(settled(document));
        QVERIFY(!document.trace()->isWhole());
        QVERIFY(document.trace()->isReady(core::Stage::Weights, 0));
        QVERIFY(!document.trace()->isReady(core::Stage::Weights, 5));
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
        QVERIFY(document.trace()->isReady(core::Stage::Weights, 5));
        QCOMPARE(document.trace()->stage(core::Stage::Weights, 5).shape(),
                 core::Shape({1, 8, 400, 400}));
        document.select(inLayer(5, core::Stage::Scores)); // of the same layer: at once
        QCOMPARE(document.selection().stage, core::Stage::Scores);
    }

    void theNewestSelectionCounts() {
        Document document;
        document.open(longInput());
        QVERIFY(settled(document));
        document.select(inLayer(3));
        document.select(inLayer(9));
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(9));
        document.select(inLayer(4));
        document.select(inLayer(9)); // where it is already
        QVERIFY(!document.isPreparing());
        QVERIFY(test::idle(document));
        QCOMPARE(document.selection().layer, core::Index(9));
    }

    void anEditWhileItIsMadeKeepsIt() {
        Document document;
        document.open(longInput());
        QVERIFY(settled(document));
        document.select(inLayer(7));
        QVERIFY(document.setMasks({}).ok());
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(7));
        QVERIFY(settled(document));
        QVERIFY(document.trace()->isReady(core::Stage::Weights, 7));
        QVERIFY(!document.trace()->mask(0).hidesAnything());
    }

    void stoppingStaysWhereItWas() {
        Document document;
        document.open(longInput());
        QVERIFY(settled(document));
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

QTEST_GUILESS_MAIN(LongInputTest)
#include "tst_long_input.moc"
