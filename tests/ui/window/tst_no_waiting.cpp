// The worker computes all stages of a long input, whichever view is shown, so the window never
// waits.
#include "tests/support/long_input.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/editor/numbers_page.h"

using core::Stage;

namespace {

struct Fixture : test::WindowFixture {
    explicit Fixture(ui::OpenedSource opened) : WindowFixture("bank", "close-up") {
        window.open(std::move(opened));
        rest();
    }
    /// Waits until the worker has computed everything, then paints the window.
    void rest() {
        ui::Document &document = window.document();
        QVERIFY(test::until([&] {
            return document.trace() && !document.traceIsStale() && !document.isPreparing() &&
                   (!document.comparison().hasA() || document.comparison().compared().a);
        }));
        QCoreApplication::processEvents();
        (void)window.grab();
    }
    void look(core::Index layer, Stage stage, bool atACell) {
        test::select(window.document(),
                     {.stage = stage,
                      .query = atACell ? std::optional<core::Index>(7) : std::nullopt,
                      .key = atACell ? std::optional<core::Index>(3) : std::nullopt,
                      .dimension = atACell ? std::optional<core::Index>(1) : std::nullopt,
                      .layer = layer});
        (void)window.grab(); // paints while the trace is being computed
        rest();
    }
};

} // namespace

class NoWaitingTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void lookingAround_data() {
        QTest::addColumn<bool>("isDecoder");
        QTest::newRow("attention alone") << false;
        QTest::newRow("a decoder") << true;
    }

    void lookingAround() {
        QFETCH(bool, isDecoder);
        Fixture fixture(isDecoder ? test::longDecoder() : test::longInput());
        QVERIFY(!fixture.document().trace()->isWhole());
        const std::size_t before = core::stagesMadeOnThisThread();
        const auto check = [&](const char *what) {
            if (core::stagesMadeOnThisThread() != before)
                QFAIL(test::said("%1 made a stage on the window's thread", what));
        };
        QList<Stage> stages{Stage::AttentionWeights, Stage::Query, Stage::LayerOutput};
        if (isDecoder)
            stages << Stage::Activated << Stage::Logits << Stage::Probabilities;
        core::Index layer = 0;
        for (const char *view : {"close-up", "whole", "heads", "similarity", "geometry", "output",
                                 "words", "model", "lines", "text", "query-key"}) {
            fixture.window.showView(view);
            fixture.rest();
            check(view);
            for (const Stage stage : stages) {
                layer = (layer + 5) % 24;
                fixture.look(layer, stage, layer % 2 == 0);
                check(view);
                if (QTest::currentTestFailed())
                    return qWarning("at %s", core::infoOf(stage).name.data());
            }
        }
    }

    /// The keys { } [ ] select another layer or head. A worker computes it, which the figure
    /// states, and fetches the neighbours ahead. Repeated keys add up, and a held key does not
    /// restart the computation.
    void anotherHeadOfAVeryLongText() {
        Fixture fixture(test::inputByHead());
        fixture.window.showView("heads");
        fixture.rest();
        ui::Document &document = fixture.window.document();
        ui::FigureView &view = *fixture.window.currentView();
        QVERIFY(document.trace()->isByHead(Stage::AttentionWeights));
        const std::size_t before = core::stagesMadeOnThisThread();
        document.dropNeighbours();
        view.setFocus();
        const auto press = [&](Qt::Key key) { QTest::keyClick(&view, key); };
        press(Qt::Key_BraceRight);
        QVERIFY(document.isPreparing());
        QCOMPARE(document.selection().layer, core::Index(0));
        QCOMPARE(view.preparationText(), QString());
        QVERIFY(test::expire(*test::find<QTimer>(document, "slowPassDelay")));
        QCOMPARE(view.preparationText(), QString("Computing head 1.0…"));
        QVERIFY(view.accessibleDescription().startsWith(view.preparationText()));
        press(Qt::Key_BraceRight);
        press(Qt::Key_BracketRight);
        QCOMPARE(view.preparationText(), QString("Computing head 2.1…"));
        (void)fixture.window.grab();
        fixture.rest();
        QCOMPARE(document.selection().layer, core::Index(2));
        QCOMPARE(document.selection().head, core::Index(1));
        QCOMPARE(view.preparationText(), QString());
        HEADLIGHT_UNTIL(view.isComplete());
        (void)fixture.window.grab(); // requests the neighbours
        HEADLIGHT_UNTIL(document.neighbours().count() > 0);
        press(Qt::Key_BraceLeft);
        QCOMPARE(document.selection().layer, core::Index(1)); // at once
        QVERIFY(!document.isPreparing());
        QCOMPARE(core::stagesMadeOnThisThread(), before);
    }

    /// The window stays usable and shows the progress, and Esc cancels the pass.
    void aLongPassSaysHowFarItIs() {
        test::WindowFixture fixture("bank", "close-up");
        auto *busy = fixture.find<QProgressBar>("busy");
        auto *cancel = fixture.find<QToolButton>("cancel");
        QVERIFY(!busy->isVisible() && !cancel->isVisible());
        fixture.window.open(test::longInput(6000)); // would take a minute without cancelling
        HEADLIGHT_UNTIL(busy->isVisible() && busy->maximum() == 24);
        QVERIFY(cancel->isVisible());
        QVERIFY(busy->isTextVisible());
        QCOMPARE(busy->text(), QString("%1 of 24 layers").arg(busy->value()));
        HEADLIGHT_UNTIL(busy->value() > 0); // the bar moves
        QVERIFY(busy->value() <= 24);
        QVERIFY(fixture.document().traceIsStale());
        QTest::keyClick(&fixture.window, Qt::Key_Escape);
        HEADLIGHT_UNTIL(!busy->isVisible());
        QVERIFY(!cancel->isVisible());
        QVERIFY(fixture.problem().contains("cancelled"));
        QVERIFY(test::until([&] { return !fixture.document().isBusy(); }));
        QVERIFY(!fixture.document().trace());
    }

    void aPinnedRun() {
        Fixture fixture(test::longInput());
        fixture.window.showView("heads");
        const std::size_t before = core::stagesMadeOnThisThread();
        fixture.document().comparison().pin();
        fixture.document().comparison().show(ui::ComparisonSide::Difference);
        QVERIFY(test::setScale(fixture.document(), {core::Scale::Kind::Off, 1}).ok());
        fixture.rest();
        for (const core::Index layer : {5, 9, 0}) {
            fixture.look(layer, Stage::AttentionWeights, true);
            fixture.look(layer, Stage::Context, true);
        }
        QCOMPARE(core::stagesMadeOnThisThread(), before);
    }

    void aPinnedScoreTable() {
        Fixture fixture(test::longInput());
        fixture.look(3, Stage::Scores, true);
        QTest::keyClick(&fixture.window, Qt::Key_K, Qt::ControlModifier);
        auto *page = fixture.window.findChild<ui::NumbersPage *>();
        QVERIFY(page && page->isVisible());
        QCOMPARE(page->table().rowCount(), 400);
        fixture.find<QToolButton>("pinMatrix")->click();
        const std::size_t before = core::stagesMadeOnThisThread();
        fixture.look(9, Stage::Scores,
                     true); // not the attention weights, for which the editor shows the mask
        QVERIFY(test::until([&] { return !page->table().isBeingMade(); }));
        const auto *scores = std::get_if<ui::ScoresId>(&page->table().target());
        QVERIFY(scores);
        QCOMPARE(scores->layer, core::Index(3));
        QVERIFY(page->table().exists());
        // An edit of the table's stage is visible as soon as it is computed.
        const float shown = page->table().number(page->table().index(7, 3));
        ui::Edit edit{fixture.document().state(), {"score", {}, {}}};
        edit.state.input.interventions.setScore({0, 3, 0, 7, 3, shown + 1});
        QVERIFY(fixture.document().apply(ui::checked(std::move(edit))).ok());
        fixture.rest();
        QVERIFY(test::until(
            [&] { return page->table().number(page->table().index(7, 3)) == shown + 1; }));
        QCOMPARE(core::stagesMadeOnThisThread(), before);
    }
};

HEADLIGHT_WIDGET_TEST(NoWaitingTest)
#include "tst_no_waiting.moc"
