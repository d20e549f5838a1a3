// The layers next to the shown one are prepared in the background, so that they are shown at once.
#include "core/transformer/plan/trace_bytes.h"
#include "tests/support/long_input.h"
#include "tests/ui/document/document_fixture.h"

using core::Stage;

namespace {

core::Selection weightsIn(core::Index layer) {
    core::Selection selection;
    selection.layer = layer;
    selection.stage = Stage::AttentionWeights;
    return selection;
}

/// Returns the first layers of longInput().
ui::OpenedSource fewLayers(core::Index layers, core::Index tokens) {
    ui::OpenedSource made = test::longInput(tokens);
    core::Model model = made.state.model;
    core::Input input = made.state.input;
    model.parameters.main.layers.resize(static_cast<std::size_t>(layers));
    return test::withModel(std::move(made), std::move(model), std::move(input));
}

struct NeighbourFixture : test::ReadyDocument {
    explicit NeighbourFixture(ui::OpenedSource source = test::longInput())
        : ReadyDocument(std::move(source)) {}
    /// Goes to a layer and waits for it.
    void go(core::Index layer) {
        select(weightsIn(layer));
        if (!test::until([&] { return selection().layer == layer && !isPreparing(); }))
            qFatal("layer %d was not computed", int(layer));
    }
    void prepare() {
        wantNeighbours();
        if (!test::until([&] { return !neighbours().isBusy(); }))
            qFatal("the neighbours were not computed");
    }
};

} // namespace

class NeighbourLayersTest : public QObject {
    Q_OBJECT

  private slots:
    void bothNeighboursAreShownAtOnce() {
        NeighbourFixture document;
        document.go(5);
        QCOMPARE(document.neighbours().count(), std::size_t(0)); // no view requested them
        for (const core::Index layer : {6, 7, 6, 5, 4}) {
            document.prepare();
            QVERIFY(document.neighbours().count() <= 2);
            int preparations = 0, traces = 0;
            const auto counting =
                connect(&document, &ui::Document::changed, this, [&](const ui::ChangeEvent &event) {
                    preparations += ui::is<ui::PreparationStarted>(event) ? 1 : 0;
                    traces += ui::is<ui::TraceChanged>(event) ? 1 : 0;
                });
            document.select(weightsIn(layer));
            disconnect(counting);
            QCOMPARE(document.selection().layer, layer); // without an event loop
            QCOMPARE(preparations, 0);
            QCOMPARE(traces, 1);
            QVERIFY(!document.isPreparing());
            QVERIFY(document.trace()->isReady(Stage::AttentionWeights, layer));
        }
        // The numbers equal those of the layer computed alone.
        const core::TracePointer own = test::valueOf(document.trace()->withoutDetails()->prepared(
            Stage::AttentionWeights, core::AttentionId(4)));
        QVERIFY(std::ranges::equal(document.trace()->stage(Stage::AttentionWeights, 4).values(),
                                   own->stage(Stage::AttentionWeights, 4).values()));
    }

    /// Going back needs no computation, because the layer that is left becomes a neighbour.
    void theLayerThatIsLeftStays() {
        NeighbourFixture document;
        document.go(5);
        document.prepare();
        document.select(weightsIn(6));
        QCOMPARE(document.selection().layer, core::Index(6));
        document.select(weightsIn(5));
        QCOMPARE(document.selection().layer, core::Index(5));
        QVERIFY(!document.isPreparing());
    }

    void neverMoreThanTwo() {
        NeighbourFixture document;
        for (const core::Index layer : {0, 1, 10, 11, 12, 23}) {
            document.go(layer);
            document.prepare();
            const std::size_t expected = layer == 0 || layer == 23 ? 1 : 2;
            QCOMPARE(document.neighbours().count(), expected);
        }
        document.dropNeighbours();
        QCOMPARE(document.neighbours().count(), std::size_t(0));
    }

    void anEditDropsThem() {
        NeighbourFixture document;
        document.go(5);
        document.prepare();
        QCOMPARE(document.neighbours().count(), std::size_t(2));
        QVERIFY(test::setMasks(document, {}).ok());
        QCOMPARE(document.neighbours().count(), std::size_t(0));
        QVERIFY(test::settled(document));
        document.select(weightsIn(6));
        QVERIFY(document.isPreparing()); // layers of the old pass are not shown
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(6));
        QVERIFY(!document.trace()->mask(0).hidesAnything());
    }

    void anEditStopsThem() {
        NeighbourFixture document;
        document.go(5);
        document.wantNeighbours();
        QVERIFY(document.neighbours().isBusy());
        QVERIFY(test::setMasks(document, {}).ok());
        QVERIFY(!document.neighbours().isBusy());
        document.wantNeighbours(); // while the new trace is computed
        QVERIFY(!document.neighbours().isBusy());
        QVERIFY(test::settled(document));
        QCOMPARE(document.neighbours().count(), std::size_t(0));
    }

    /// The layer that the user selects comes first.
    void aSelectionStopsThem() {
        NeighbourFixture document;
        document.go(5);
        document.wantNeighbours();
        document.select(weightsIn(20));
        QVERIFY(!document.neighbours().isBusy());
        QVERIFY(document.isPreparing());
        HEADLIGHT_UNTIL_EQUAL(document.selection().layer, core::Index(20));
    }

    void aShortTextHasEveryLayer() {
        NeighbourFixture document(test::longInput(5));
        document.wantNeighbours();
        QVERIFY(!document.neighbours().isBusy());
        QCOMPARE(document.neighbours().count(), std::size_t(0));
    }

    /// Two layers of 1,600 tokens would take more than 512 MB, so only the one in the direction of
    /// the last step is prepared.
    void oneLargeLayerIsPrepared() {
        NeighbourFixture document(fewLayers(4, 1600));
        const core::Trace &trace = *document.trace();
        QVERIFY(!trace.isByHead(Stage::AttentionWeights));
        QVERIFY(2 * core::detailBytes(trace.plan(), false) > ui::NeighbourLayers::kMaxBytes);
        QVERIFY(core::detailBytes(trace.plan(), false) <= ui::NeighbourLayers::kMaxBytes);
        document.go(1);
        document.prepare();
        QCOMPARE(document.neighbours().count(), std::size_t(1));
        document.select(weightsIn(2));
        QCOMPARE(document.selection().layer, core::Index(2)); // without an event loop
        document.select(weightsIn(1));                        // the layer that was left
        QCOMPARE(document.selection().layer, core::Index(1));
        document.select(weightsIn(2));
        document.prepare();
        document.go(1);
        document.prepare();
        QCOMPARE(document.neighbours().count(), std::size_t(1));
        document.select(weightsIn(0)); // further back
        QCOMPARE(document.selection().layer, core::Index(0));
        QVERIFY(!document.isPreparing());
    }

    /// If not even one layer fits, the next head of the same layer is prepared.
    void theNextHeadOfAVeryLongText() {
        const ui::OpenedSource source = test::longInput(300);
        const core::TracePointer pass =
            test::valueOf(core::forward(*source.computable, nullptr, {}, core::Detail::Heads));
        ui::DetailRequest shown{{Stage::AttentionWeights, core::AttentionId(3)}, 0, 2};
        const auto byHead = [](core::TracePointer trace, const ui::DetailRequest &look) {
            return test::valueOf(ui::preparedFor(look, std::move(trace)));
        };
        core::TracePointer trace = byHead(pass, shown);
        constexpr core::Index matrix = core::Index(300) * 300 * 4; // bytes
        ui::NeighbourLayers neighbours(2 * matrix);
        QVERIFY(core::detailBytes(trace->plan(), true) > 2 * matrix);
        const auto prepare = [&] {
            neighbours.want(trace, shown);
            QVERIFY(test::until([&] { return !neighbours.isBusy(); }));
            QCOMPARE(neighbours.count(), std::size_t(1));
        };
        prepare();
        shown.head = 3;
        QVERIFY(!trace->isReady(Stage::AttentionWeights, core::AttentionId(3), 0, 3));
        trace = neighbours.exchange(trace, shown);
        QVERIFY(trace);
        const core::SharedMatrix made = trace->matrix(Stage::AttentionWeights, 3, 0, 3);
        const core::SharedMatrix own =
            byHead(pass, shown)->matrix(Stage::AttentionWeights, 3, 0, 3);
        QVERIFY(std::ranges::equal(made.row(299), own.row(299)));
        prepare();
        ui::DetailRequest other = shown;
        other.head = 4;
        QVERIFY(neighbours.exchange(trace, other));
        // After a step back, the earlier head is prepared.
        shown.head = 1;
        trace = byHead(pass, shown);
        prepare();
        shown.head = 0;
        QVERIFY(neighbours.exchange(trace, shown));
        // A smaller limit prepares nothing.
        ui::NeighbourLayers none(matrix);
        none.want(trace, shown);
        QVERIFY(!none.isBusy());
    }

    /// One layer of 2,200 tokens would take more than 512 MB.
    void largeLayersAreNotPrepared() {
        NeighbourFixture document(fewLayers(3, 2200));
        const core::Trace &trace = *document.trace();
        QVERIFY(!trace.isByHead(Stage::AttentionWeights));
        QVERIFY(core::detailBytes(trace.plan(), false) > ui::NeighbourLayers::kMaxBytes);
        document.wantNeighbours();
        QVERIFY(!document.neighbours().isBusy());
    }

    /// The trace holds single heads only.
    void theSameHeadOfTheNextLayer() {
        NeighbourFixture document(fewLayers(4, 4096));
        QVERIFY(document.trace()->isByHead(Stage::AttentionWeights));
        document.go(1);
        document.prepare();
        // The trace still has the head of layer 0, so only the head of layer 2 is prepared.
        QCOMPARE(document.neighbours().count(), std::size_t(1));
        document.select(weightsIn(2));
        QCOMPARE(document.selection().layer, core::Index(2));
        QVERIFY(document.trace()->isReady(Stage::AttentionWeights, 2));
    }
};

HEADLIGHT_GUILESS_TEST(NeighbourLayersTest)
#include "tst_neighbour_layers.moc"
