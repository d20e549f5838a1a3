// The panels at the right edge, over the views: inspector, editor, history.
#include "tests/ui/window/window_fixture.h"
#include "ui/strip/answer_bars.h"
#include "ui/strip/sentence_strip.h"
#include "ui/strip/words_strip.h"
#include "ui/views/close_up_view.h"
#include "ui/views/token_finder.h"
#include "ui/window/edge_panels.h"

#include <QScrollBar>

using test::WindowFixture;

namespace {

constexpr std::pair<const char *, Qt::Key> kPanels[] = {
    {"inspectorDock", Qt::Key_I}, {"editorDock", Qt::Key_K}, {"historyDock", Qt::Key_H}};

struct PanelsFixture : WindowFixture {
    explicit PanelsFixture(QSize size = {1440, 900}) : WindowFixture("cat", "close-up") {
        dock("inspectorDock")->hide(); // the fixture opens this dock
        window.resize(size);
        settle();
        window.activateWindow();
        (void)test::active(window);
        view()->setFocus();
    }
    QDockWidget *dock(const char *name) const { return find<QDockWidget>(name); }
    ui::EdgePanels *panels() const { return find<ui::EdgePanels>("edgePanels"); }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(window.focusWidget(), key, modifiers);
        settle();
    }
    QRect placeInWindow(const QWidget &widget) const {
        return {widget.mapTo(&window, QPoint()), widget.size()};
    }
};

} // namespace

class EdgePanelsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void theViewIsBesideThem_data() {
        test::addRows("size", std::vector<QSize>{{1280, 720}, {1440, 900}});
    }
    void theViewIsBesideThem() {
        QFETCH(QSize, size);
        PanelsFixture fixture(size);
        const QRect before = fixture.placeInWindow(*fixture.view());
        const QSize window = fixture.window.size();
        for (const auto &[name, key] : kPanels) {
            fixture.press(key, Qt::ControlModifier);
            QVERIFY2(fixture.dock(name)->isVisible(), name);
            QCOMPARE(fixture.window.size(), window);
            const QRect panel = fixture.placeInWindow(*fixture.panels());
            QCOMPARE(panel.right(), before.right());
            const QRect beside = fixture.placeInWindow(*fixture.view());
            QCOMPARE(beside.left(), before.left());
            QCOMPARE(beside.right() + 1, panel.left());
            QVERIFY(2 * beside.width() > before.width());
            QVERIFY(panel.bottom() <= before.bottom());
            QVERIFY(fixture.dock(name)->width() > 200);
            // Only one panel is open at a time.
            for (const auto &[other, unused] : kPanels)
                QCOMPARE(fixture.dock(other)->isVisible(), other == name);
        }
        fixture.press(Qt::Key_H, Qt::ControlModifier);
        QVERIFY(!fixture.panels()->isVisible());
        QCOMPARE(fixture.placeInWindow(*fixture.view()), before);
    }

    void theViewIsBesideThemInLargeText_data() {
        QTest::addColumn<double>("scale");
        QTest::addColumn<QSize>("size");
        QTest::newRow("150 %") << 1.5 << QSize(1280, 720);
        QTest::newRow("200 %") << 2.0 << QSize(1920, 1080);
    }

    /// A panel is at most as wide as half of the views, if that half has space for numbers.
    void theViewIsBesideThemInLargeText() {
        QFETCH(double, scale);
        QFETCH(QSize, size);
        QSettings().setValue("window/textScale", scale);
        PanelsFixture fixture(size);
        fixture.select({.stage = core::Stage::AttentionWeights, .query = 3, .key = 2});
        const QRect before = fixture.placeInWindow(*fixture.view());
        for (const auto &[name, key] : kPanels) {
            fixture.press(key, Qt::ControlModifier);
            QVERIFY2(fixture.dock(name)->isVisible(), name);
            const QRect beside = fixture.placeInWindow(*fixture.view());
            QCOMPARE(beside.right() + 1, fixture.placeInWindow(*fixture.panels()).left());
            QVERIFY(2 * beside.width() >= before.width() - 1);
            QCOMPARE(fixture.window.size(), size);
            const auto *closeUp = static_cast<const ui::CloseUpView *>(fixture.view());
            const ui::CloseUpFigure::Places places = closeUp->places();
            QVERIFY(!places.picture.result.cells.cells.isEmpty());
            QVERIFY(places.stripHasNumbers || !places.table.isEmpty());
        }
    }

    void aPanelCoversTheViewInVeryLargeText() {
        QSettings().setValue("window/textScale", 2.0);
        PanelsFixture fixture({1280, 720});
        const QRect before = fixture.placeInWindow(*fixture.view());
        fixture.press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(2 * fixture.panels()->width() > before.width());
        QCOMPARE(fixture.placeInWindow(*fixture.view()).width(), before.width());
    }

    void aPanelMadeWiderThanHalfCoversTheView() {
        QSettings().setValue("window/edgeWidth", 600);
        PanelsFixture fixture({1280, 720});
        const QRect before = fixture.placeInWindow(*fixture.view());
        fixture.press(Qt::Key_K, Qt::ControlModifier);
        QVERIFY(2 * fixture.panels()->width() > before.width());
        QCOMPARE(fixture.placeInWindow(*fixture.view()).width(), before.width());
    }

    /// In a short window with large text, the editor scrolls, and nothing in it overlaps.
    void theEditorScrollsInLargeText() {
        QSettings().setValue("window/textScale", 2.0);
        PanelsFixture fixture({1280, 720});
        fixture.press(Qt::Key_K, Qt::ControlModifier);
        const auto placeOf = [&](const char *name) {
            const auto *widget = fixture.window.findChild<QWidget *>(name);
            return widget ? fixture.placeInWindow(*widget) : QRect();
        };
        HEADLIGHT_UNTIL(placeOf("cellPlace").isValid());
        QVERIFY(placeOf("numberTable").isValid());
        QVERIFY(placeOf("numberTable").bottom() < placeOf("cellPlace").top());
    }

    /// Esc closes the panel first and keeps the selection, whatever has the focus.
    void escCloses() {
        PanelsFixture fixture;
        fixture.select({.stage = core::Stage::Scores, .query = 1, .key = 2});
        const core::Selection selection = fixture.document().selection();
        for (const auto &[name, key] : kPanels) {
            fixture.press(key, Qt::ControlModifier);
            QVERIFY(fixture.panels()->isOpen());
            QCOMPARE(fixture.window.focusWidget(), fixture.view()); // arrow keys still select cells
            fixture.press(Qt::Key_Escape);
            QVERIFY2(!fixture.panels()->isVisible(), name);
            QVERIFY(fixture.document().selection() == selection);
            QCOMPARE(fixture.window.focusWidget(), fixture.view());
        }
        fixture.press(Qt::Key_Escape);
        QVERIFY(!fixture.document().selection().query);
    }

    /// Selecting another view or a word does not move or close the panel.
    void theyStayAboveTheWords() {
        PanelsFixture fixture;
        fixture.press(Qt::Key_I, Qt::ControlModifier);
        const auto top = [&] {
            const QRect panel = fixture.placeInWindow(*fixture.panels());
            return fixture.window.childAt(panel.topLeft() + QPoint(panel.width() / 2, 4));
        };
        for (const char *view : {"whole", "close-up"}) {
            fixture.window.showView(view);
            fixture.settle();
            QVERIFY2(top() && fixture.panels()->isAncestorOf(top()), view);
        }
        auto *words = fixture.window.findChild<ui::SentenceStrip *>();
        QVERIFY(words);
        fixture.select({.query = 1});
        words->words(ui::InputSide::Own).setFocus();
        fixture.press(Qt::Key_Escape);
        QVERIFY(!fixture.dock("inspectorDock")->isVisible());
        QVERIFY(fixture.document().selection().query.has_value());
    }

    void theFocusReturns() {
        PanelsFixture fixture;
        auto *text = fixture.find<QLineEdit>("text");
        text->setFocus();
        fixture.press(Qt::Key_H, Qt::ControlModifier);
        auto *list = fixture.find<QUndoView>("history");
        list->setFocus();
        QCOMPARE(fixture.window.focusWidget(), list);
        fixture.press(Qt::Key_Escape);
        QVERIFY(!fixture.panels()->isVisible());
        QCOMPARE(fixture.window.focusWidget(), text);
    }

    void aClickOnTheLineOfNumbersOpensTheInspector() {
        PanelsFixture fixture;
        fixture.select({.stage = core::Stage::Scores, .query = 1, .key = 2});
        QVERIFY(fixture.view()->figure());
        const auto &view = static_cast<const ui::CloseUpView &>(*fixture.view());
        const QPoint line = view.places().strip.center().toPoint();
        QTest::mouseDClick(fixture.view(), Qt::LeftButton, {}, line);
        QVERIFY(view.isOpened() && !fixture.panels()->isOpen());
        fixture.press(Qt::Key_Escape);
        QVERIFY(fixture.view()->figure());
        QTest::mouseClick(fixture.view(), Qt::LeftButton, {}, line);
        HEADLIGHT_UNTIL(fixture.dock("inspectorDock")->isVisible());
    }

    void theArithmeticClosesFirst() {
        PanelsFixture fixture;
        fixture.select({.stage = core::Stage::Scores, .query = 1, .key = 2, .opened = true});
        fixture.press(Qt::Key_I, Qt::ControlModifier);
        QVERIFY(fixture.view()->figure() && fixture.view()->showsArithmetic());
        fixture.press(Qt::Key_Escape);
        QVERIFY(fixture.panels()->isOpen());
        fixture.press(Qt::Key_Escape);
        QVERIFY(!fixture.panels()->isOpen());
    }

    /// The editor covers neither the numbers that it is opened for nor the answer.
    void allThatAnEditChangesIsBesideTheEditor() {
        PanelsFixture fixture({1280, 720});
        const auto places = [&fixture] {
            (void)fixture.view()->figure();
            return static_cast<const ui::CloseUpView &>(*fixture.view()).places();
        };
        const core::Index last = fixture.document().trace()->batch()[0].length - 1;
        fixture.select({.stage = core::Stage::Scores, .query = 1, .key = last});
        const ui::CloseUpFigure::Places before = places();
        ui::EdgePanels &panels = *fixture.panels();
        fixture.press(Qt::Key_K, Qt::ControlModifier);
        for (const int wider : {0, 120}) {
            const QPoint edge(2, panels.height() / 2);
            const int width = panels.width();
            QTest::mousePress(&panels, Qt::LeftButton, {}, edge);
            test::moveMouse(panels, edge - QPoint(wider, 0), Qt::LeftButton);
            QTest::mouseRelease(&panels, Qt::LeftButton, {}, edge);
            QCOMPARE(panels.width(), width + wider);
            const double free = panels.mapTo(&fixture.window, QPoint()).x() -
                                fixture.placeInWindow(*fixture.view()).x();
            const ui::CloseUpFigure::Places beside = places();
            QVERIFY(before.strip.right() > free);
            QVERIFY(beside.strip.right() <= free);
            QVERIFY(beside.picture.result.cells.cells.right() <= free);
            QVERIFY(!beside.picture.left.empty() && !beside.picture.above.empty());
            for (const auto &operands : {beside.picture.left, beside.picture.above})
                for (const ui::CloseUpGeometry::Placed &operand : operands)
                    QVERIFY(operand.cells.cells.right() <= free);
            const ui::AnswerBars &answer =
                fixture.find<ui::SentenceStrip>("sentenceStrip")->answer();
            QVERIFY(answer.isVisible());
            QVERIFY(answer.mapTo(&fixture.window, answer.rect().topRight()).x() <
                    panels.mapTo(&fixture.window, QPoint()).x());
            for (QScrollBar *bar : fixture.view()->findChildren<QScrollBar *>())
                QVERIFY(!bar->isVisible());
        }
        fixture.press(Qt::Key_Escape);
        QVERIFY(!panels.isOpen());
        QCOMPARE(places().picture.result.cells.cells, before.picture.result.cells.cells);
        QCOMPARE(places().strip, before.strip);
    }

    void theBarThatFindsTokensIsInSight() {
        PanelsFixture fixture({1280, 720});
        fixture.press(Qt::Key_I, Qt::ControlModifier);
        QVERIFY(fixture.panels()->isOpen());
        fixture.view()->setFocus();
        fixture.press(Qt::Key_F, Qt::ControlModifier);
        const auto *finder = fixture.view()->findChild<ui::TokenFinder *>();
        QVERIFY(finder && finder->isVisible());
        QVERIFY(finder->mapTo(&fixture.window, finder->rect().bottomRight()).x() <
                fixture.panels()->mapTo(&fixture.window, QPoint()).x());
    }

    void openPanelAndWidthAreRemembered() {
        int width = 0;
        {
            PanelsFixture fixture;
            QVERIFY(!fixture.panels()->isVisible());
            fixture.press(Qt::Key_H, Qt::ControlModifier);
            ui::EdgePanels &panels = *fixture.panels();
            const int before = panels.width();
            const QPoint edge(2, panels.height() / 2);
            QTest::mousePress(&panels, Qt::LeftButton, {}, edge);
            test::moveMouse(panels, edge - QPoint(60, 0), Qt::LeftButton);
            QTest::mouseRelease(&panels, Qt::LeftButton, {}, edge);
            width = panels.width();
            QVERIFY(std::abs(width - before - 60) <= 2);
            fixture.window.close();
        }
        ui::MainWindow window;
        window.resize(1440, 900);
        window.open(test::opened("cat"));
        window.show();
        QVERIFY(test::settled(window));
        QVERIFY(window.findChild<QDockWidget *>("historyDock")->isVisible());
        QVERIFY(std::abs(window.findChild<ui::EdgePanels *>()->width() - width) <= 1);
    }
};

HEADLIGHT_WIDGET_TEST(EdgePanelsTest)
#include "tst_edge_panels.moc"
