// All views with mouse, wheel and keyboard.
#include "tests/ui/views/view_fixture.h"
#include "ui/document/edits/matrix_edits.h"
#include "ui/figures/heatmap/trace_heatmap.h"
#include "ui/views/make_view.h"
#include "ui/views/view_bar.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QTimer>

using headlight::test::Fixture;

namespace {

QString manyWords(int count) {
    QStringList words;
    for (int i = 0; i < count; ++i)
        words.append(QStringLiteral("word%1").arg(i));
    return words.join(QLatin1Char(' '));
}

/// Opens the context menu next to the figure, chooses the entry `chosen`, and returns all entries.
QStringList contextMenuOf(QWidget &view, const QString &chosen = {}) {
    QStringList texts;
    QTimer::singleShot(0, &view, [&] {
        auto *menu = qobject_cast<QMenu *>(QApplication::activePopupWidget());
        if (!menu)
            qFatal("no menu");
        for (QAction *action : menu->actions()) {
            texts << action->text();
            if (!chosen.isEmpty() && action->text() == chosen)
                action->trigger();
        }
        menu->close();
    });
    const QPoint at(2, 2);
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, view.mapToGlobal(at));
    QCoreApplication::sendEvent(&view, &event);
    return texts;
}

} // namespace

class ViewsTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void whatIsKeptIsNeverOld_data() {
        QTest::addColumn<QString>("id");
        for (const ViewInfo &info : allViews())
            // Leaves out views that differ from a new one: Output shows the state before an edit,
            // Training and Being born show a run, and Model gets its thumbnails later
            // (tests/ui/model).
            if (isTab(info) && info.view != core::View::Output &&
                info.view != core::View::Training && info.view != core::View::Birth &&
                info.view != core::View::Model)
                QTest::newRow(qPrintable(idOf(info))) << idOf(info);
    }
    /// A view with caches looks the same as a new one.
    void whatIsKeptIsNeverOld() {
        QFETCH(QString, id);
        const ViewInfo &info = *findView(id);
        Document document;
        document.open(test::opened("cat"));
        const auto made = [&] {
            std::unique_ptr<FigureView> view(makeView(info.view, document));
            view->resize(1000, 700);
            return view;
        };
        const std::unique_ptr<FigureView> view = made();
        FigureStyle style = FigureStyle::light();
        QImage last;
        const auto look = [&](const char *what, bool changed = true) {
            QVERIFY(test::settled(document));
            view->setStyle(style);
            const QImage now = view->grab().toImage();
            const std::unique_ptr<FigureView> fresh = made();
            fresh->setStyle(style);
            const QString where = id + QStringLiteral(": ") + what;
            QVERIFY2(now == fresh->grab().toImage(), qPrintable(where));
            QVERIFY2((now != last) == changed, qPrintable(where));
            last = now;
        };
        look("at first");
        test::select(document, {.query = 2, .key = 1});
        look("a cell");
        const MatrixId matrix{
            MatrixId::Kind::Parameter, {0, core::ParameterKind::Value}, core::Index(0), 0};
        QVERIFY(document.apply(edits::setCells(document.state(), matrix, {{0, 0, 3.5F}})).ok());
        // The attention weights do not depend on W_V.
        look("a number of W_V",
             info.view != core::View::CloseUp && info.view != core::View::Heads &&
                 info.view != core::View::Softmax && info.view != core::View::Lines &&
                 info.view != core::View::Text && info.view != core::View::QueryKey);
        const MatrixId query{
            MatrixId::Kind::Parameter, {0, core::ParameterKind::Query}, core::Index(0), 0};
        QVERIFY(document.apply(edits::setCells(document.state(), query, {{0, 0, 2.5F}})).ok());
        look("a number of W_Q");
        QVERIFY(test::setMasks(document, {core::CausalMask{}}).ok());
        // Lines shows the strongest weights, which the mask of this pair does not change.
        look("the mask", info.view != core::View::Lines);
        document.undoStack().undo();
        look("undone", info.view != core::View::Lines);
        document.undoStack().undo();
        look("undone twice");
        test::select(document, {.head = 1});
        look("another head", info.view != core::View::Words); // Words shows all heads together
        view->setColours(ColourMap::Magma);
        view->setColours(ColourMap::PurpleWhiteGreen);
        look("other colours", info.has(Choice::Colours));
        view->setOption(&FigureOptions::range, Range::PerRow);
        look("another range", info.has(Choice::Range));
        style = FigureStyle::dark();
        look("the dark theme");
        style = FigureStyle::dark(1.5);
        look("larger text");
        document.open(test::opened("bank"));
        look("another source");
    }

    void aCellOfASmallMatrixIsSelected_data() {
        QTest::addColumn<Stage>("stage");
        for (const core::StageInfo &info : core::allStages())
            if (info.stage != Stage::Positioned && info.stage != Stage::AttentionWeights)
                QTest::addRow("%s", info.name.data()) << info.stage;
    }
    void aCellOfASmallMatrixIsSelected() {
        QFETCH(Stage, stage);
        Fixture<WholeView> fixture("cat");
        fixture.select(Stage::AttentionWeights);
        const WholeNode *node = nullptr;
        const WholeGeometry geometry = fixture.view.places().map;
        if (!(node = geometry.node({stage, {}})))
            QSKIP("this lesson has no such stage");
        fixture.click(node->cells().cellRect(4, 1).center());
        const core::Selection &selection = fixture.selection();
        QVERIFY(selection.stage == stage);
        const core::StageInfo &info = core::infoOf(stage);
        const bool attended = info.role == core::Role::Key || info.role == core::Role::Value;
        QCOMPARE(attended ? selection.key : selection.query, test::some(4));
        QCOMPARE(info.overKeys() ? selection.key : selection.dimension, test::some(1));
    }

    void hoveringASmallMatrixSaysItsValue() {
        Fixture<WholeView> fixture("cat");
        fixture.select(Stage::AttentionWeights);
        const WholeGeometry geometry = fixture.view.places().map;
        const QString words =
            fixture.hover(geometry.node({Stage::Query, {}})->cells().cellRect(2, 3).center());
        const float value = fixture.document.trace()->stage(Stage::Query).matrix(0, 0)(2, 3);
        QCOMPARE(words.section(": ", -1).replace(QChar(0x2212), '-').toFloat(), value);
    }

    /// Hovering over a parameter shows its number, row and column. A click shows the stage that it
    /// contributes to, at this column.
    void aLearnedMatrixSaysItsNumbers() {
        Fixture<WholeView> fixture("cat");
        fixture.select(Stage::Scores, 2);
        const core::Index head = fixture.selection().head;
        const WholeGeometry geometry = fixture.view.places().map;
        const WholeNode *node = geometry.learnedOf({Stage::Key, {}});
        QVERIFY(node);
        const core::Model &model = fixture.document.trace()->model();
        const core::Parameter &keys = model.parameters.main.layers[0].selfAttention.key;
        const QPointF point = node->cells().cellRect(9, 3).center();
        QCOMPARE(fixture.hover(point),
                 QStringLiteral("WK, row 9, column 3: %1")
                     .arg(fullText((*keys)(9, head * model.config.headSize + 3))));
        QCOMPARE(fixture.hover(node->title.center()), QString("WK, a weight matrix of 16 × 8"));
        fixture.click(point);
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Key, .dimension = 3}));
    }

    void zoomKeepsThePointAndFits() {
        Fixture<HeadsView> fixture("cat");
        QSignalSpy changed(&fixture.view, &FigureView::zoomChanged);
        fixture.wheel({300, 200}, 1, Qt::ControlModifier);
        QCOMPARE(fixture.view.zoom(), 1.25);
        QCOMPARE(fixture.view.pan(), QPointF(75, 50));
        const QPointF before = fixture.view.pan();
        fixture.drag({400, 300}, {380, 290}, Qt::MiddleButton);
        QCOMPARE(fixture.view.pan(), before + QPointF(20, 10));
        fixture.wheel({300, 200}, -1, Qt::ShiftModifier);
        QCOMPARE(fixture.view.pan(), before + QPointF(80, 10));
        fixture.wheel({300, 200}, -1);
        QCOMPARE(fixture.view.pan(), before + QPointF(80, 70));
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, {5, 5});
        QCOMPARE(fixture.view.zoom(), 1.0);
        QCOMPARE(fixture.view.pan(), QPointF());
        for (int i = 0; i < 40; ++i)
            fixture.view.zoomBy(1.25);
        QCOMPARE(fixture.view.zoom(), FigureView::kMaxZoom);
        for (int i = 0; i < 40; ++i)
            fixture.view.zoomBy(0.8);
        QCOMPARE(fixture.view.zoom(), 1.0);
        QVERIFY(changed.count() > 2);
    }

    void aZoomedCellIsStillFound() {
        Fixture<CloseUpView> fixture("cat");
        fixture.select(Stage::AttentionWeights);
        fixture.view.zoomBy(2, QPointF(900, 300));
        const HeatmapGeometry large = fixture.view.places().picture.result.cells;
        const QRectF cell = large.cellRect(3, 2);
        QVERIFY(QRectF(fixture.view.rect()).contains(cell.center()));
        fixture.click(cell.center());
        QVERIFY(test::isAt(fixture.selection(), {.query = 3, .key = 2}));
    }

    void spacePlaysUnlessItDrags() {
        Fixture<HeadsView> fixture("cat");
        QSignalSpy play(&fixture.view, &FigureView::playRequested);
        fixture.key(Qt::Key_Space);
        QCOMPARE(play.count(), 1);
        fixture.view.zoomBy(2);
        const QPointF before = fixture.view.pan();
        QTest::keyPress(&fixture.view, Qt::Key_Space);
        fixture.drag({400, 300}, {390, 300}, Qt::LeftButton);
        QTest::keyRelease(&fixture.view, Qt::Key_Space);
        QCOMPARE(play.count(), 1);
        QCOMPARE(fixture.view.pan(), before + QPointF(10, 0));
    }

    void headsFitWholeAtAnyLength_data() {
        // cat has two heads, sentence has one.
        test::addCombinations<QString, int, QSize>(
            {"source", "words", "size"}, {"cat", "sentence"}, {11, 76, 300},
            {QSize(700, 480), QSize(1200, 800), QSize(500, 900)});
    }
    void headsFitWholeAtAnyLength() {
        QFETCH(QString, source);
        QFETCH(int, words);
        QFETCH(QSize, size);
        Fixture<HeadsView> fixture(source, manyWords(words), size);
        fixture.select(Stage::AttentionWeights, words - 1,
                       words - 1); // the view does not scroll to this cell
        const HeadsGeometry geometry = fixture.view.geometry();
        const HeatmapGeometry &large = geometry.enlarged;
        QVERIFY(!large.isWindow);
        QCOMPARE(large.rows, core::Index(words));
        QCOMPARE(large.columns, core::Index(words));
        const QRectF sight(QPointF(), QSizeF(size) / fixture.view.shrink());
        QVERIFY(sight.contains(large.used));
        for (const QRectF &tile : geometry.tiles)
            QVERIFY(sight.contains(tile));
        QCOMPARE(fixture.view.zoom(), 1.0);
    }

    void aLongTextIsLookedAtThroughAWindow() {
        for (const char *source : {"cat", "sentence"}) {
            Fixture<HeadsView> fixture(source, manyWords(300), {1200, 800});
            fixture.select(Stage::AttentionWeights, 150, 150);
            const HeatmapGeometry whole = fixture.view.geometry().enlarged;
            const QRectF card = fixture.view.geometry().card;
            const std::vector<QRectF> tiles = fixture.view.geometry().tiles;
            QVERIFY(whole.cell.width() < kMinWholeCell);
            QSignalSpy zoomed(&fixture.view, &FigureView::zoomChanged);
            // The wheel enlarges the cells of the matrix under the mouse, and nothing else.
            const Cell cell{200, 100};
            const QPointF point = whole.cellRect(cell.row, cell.column).center();
            for (int notch = 0; notch < 8; ++notch)
                fixture.wheel(point, 1, Qt::ControlModifier);
            QVERIFY(zoomed.count() > 0 && fixture.view.zoom() > 3);
            HeadsGeometry geometry = fixture.view.geometry();
            QVERIFY(geometry.enlarged.isWindow);
            QVERIFY(geometry.enlarged.cell.width() > 2 * whole.cell.width());
            QVERIFY(geometry.enlarged.showsRow(cell.row));
            QVERIFY(geometry.enlarged.showsColumn(cell.column));
            QVERIFY(tiles.empty() || geometry.tiles == tiles); // the grid does not change
            // The head's own tile marks the visible window.
            const auto *figure = static_cast<const HeadsFigure *>(fixture.view.figure());
            QVERIFY(!geometry.tiles.empty());
            for (core::Index tile = 0; tile < figure->headCount(); ++tile) {
                const QRectF frame = geometry.windowInTile(
                    tile, geometry.enlarged.origin,
                    {geometry.enlarged.endRow(), geometry.enlarged.endColumn()});
                const HeatmapGeometry small = geometry.tileCells(tile);
                QVERIFY(frame.contains(small.cellRect(cell.row, cell.column).center()));
                QVERIFY(frame.width() < small.cells.width() / 2);
                const QImage image = fixture.view.grab().toImage();
                const QPointF edge(frame.center().x(), frame.top() + 1);
                const bool isFramed =
                    image.pixelColor(edge.toPoint()) == fixture.view.figureStyle().accent;
                QCOMPARE(isFramed, figure->headOfTile(tile) == fixture.selection().head);
            }
            // Home and End go to the ends of the row, with Ctrl to the corners of the matrix.
            const auto selected = [&] {
                return std::pair(fixture.selection().query.value_or(-1),
                                 fixture.selection().key.value_or(-1));
            };
            using Ends = std::pair<core::Index, core::Index>;
            fixture.key(Qt::Key_End);
            QCOMPARE(selected(), Ends(150, 299));
            fixture.key(Qt::Key_Home);
            QCOMPARE(selected(), Ends(150, 0));
            (void)fixture.view.figure();
            QVERIFY(fixture.view.geometry().enlarged.showsRow(150));
            QVERIFY(fixture.view.geometry().enlarged.showsColumn(0));
            fixture.key(Qt::Key_End, Qt::ControlModifier);
            QCOMPARE(selected(), Ends(299, 299));
            (void)fixture.view.figure();
            QVERIFY(fixture.view.geometry().enlarged.showsRow(299));
            QVERIFY(fixture.view.geometry().enlarged.showsColumn(299));
            fixture.key(Qt::Key_Home, Qt::ControlModifier);
            QCOMPARE(selected(), Ends(0, 0));
            // A click on the overview scrolls the matrix to the clicked cell.
            (void)fixture.view.figure();
            geometry = fixture.view.geometry();
            fixture.click(geometry.tileCells(0).cellRect(250, 40).center());
            const core::Index row = fixture.selection().query.value_or(-1);
            QVERIFY(qAbs(row - 250) < 4);
            QVERIFY(fixture.view.geometry().enlarged.showsRow(row));
            // A double click shows the whole matrix again.
            QTest::mouseDClick(&fixture.view, Qt::LeftButton, {}, card.center().toPoint());
            QCOMPARE(fixture.view.zoom(), 1.0);
            QVERIFY(!fixture.view.geometry().enlarged.isWindow);
            QCOMPARE(fixture.view.geometry().enlarged.cells, whole.cells);
        }
    }

    void homeAndEndBeginWithNothingSelected() {
        Fixture<CloseUpView> fixture("cat");
        fixture.select(Stage::AttentionWeights);
        fixture.key(Qt::Key_End);
        QVERIFY(test::isAt(fixture.selection(), {.query = 0, .key = 5}));
    }

    void arrowsMoveWithinKeys() {
        Fixture<CloseUpView> fixture("cat");
        fixture.select(Stage::Key);
        fixture.key(Qt::Key_Down);
        fixture.key(Qt::Key_Down);
        QVERIFY(test::isAt(fixture.selection(), {.query = test::none(), .key = 1}));
    }

    void headsAreFoundInAnyOrder() {
        Fixture<HeadsView> fixture("cat");
        for (const core::HeadOrder order :
             {core::HeadOrder::Entropy, core::HeadOrder::Diagonal, core::HeadOrder::FirstToken}) {
            fixture.view.setOption(&FigureOptions::order, order);
            const auto *figure = static_cast<const HeadsFigure *>(fixture.view.figure());
            for (core::Index tile = 0; tile < figure->headCount(); ++tile) {
                const HeadsGeometry geometry = fixture.view.geometry();
                fixture.click(geometry.tileCells(tile).cellRect(1, 0).center());
                figure = static_cast<const HeadsFigure *>(fixture.view.figure());
                QVERIFY(test::isAt(fixture.selection(),
                                   {.query = 1, .key = 0, .head = figure->headOfTile(tile)}));
            }
            fixture.click(fixture.view.geometry().enlarged.cellRect(4, 3).center());
            QVERIFY(test::isAt(fixture.selection(), {.query = 4, .key = 3}));
            fixture.key(Qt::Key_Down);
            fixture.key(Qt::Key_Right);
            QVERIFY(test::isAt(fixture.selection(), {.query = 5, .key = 4}));
            fixture.key(Qt::Key_Escape);
            QVERIFY(test::isAt(fixture.selection(), {.query = test::none(), .key = test::none()}));
        }
    }

    void choicesAreRemembered() {
        {
            Fixture<HeadsView> fixture("cat");
            fixture.view.setOption(&FigureOptions::range, Range::PerRow);
            fixture.view.setColours(ColourMap::Magma);
            fixture.view.setOption(&FigureOptions::order, core::HeadOrder::Distance);
        }
        Fixture<HeadsView> again("cat");
        QCOMPARE(again.view.options().range, Range::PerRow);
        QCOMPARE(again.view.options().order, core::HeadOrder::Distance);
        const auto *figure = static_cast<const HeadsFigure *>(again.view.figure());
        QCOMPARE(figure->enlarged().content().scale.map(), ColourMap::Magma);
        QCOMPARE(figure->enlarged().content().scale.range(), Range::PerRow);
        Fixture<CloseUpView> other("cat");
        QCOMPARE(other.view.options().range, Range::Fixed);
    }

    void similarityKeepsTheStage() {
        Fixture<SimilarityView> fixture("cat");
        fixture.select(Stage::Key);
        const QPointF point = fixture.view.geometry().heatmaps[1].cellRect(2, 4).center();
        QVERIFY(test::says(fixture.hover(point), "as embeddings"));
        fixture.click(point);
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Key, .query = 2}));
        fixture.key(Qt::Key_Left);
        QVERIFY(test::isAt(fixture.selection(), {.stage = Stage::Key, .key = 3}));
    }

    void bothSimilaritiesHaveWordsAtTheirLabels() {
        Fixture<SimilarityView> fixture("cat");
        for (const HeatmapGeometry &one : fixture.view.geometry().heatmaps) {
            QCOMPARE(fixture.hover(one.rowLabel(1).center()), QString("cat"));
            QCOMPARE(fixture.hover(one.columnLabel(2).center()), QString("sat"));
        }
    }

    /// Each switch is offered only by views that have it, and names the state that it leads to.
    void theContextMenuOffersTheViewsSwitches() {
        const QString draw("Draw lines between the words"),
            hide("Hide the lines between the words");
        const QString fold("Fold the weight matrices away"), show("Show the weight matrices");
        Fixture<CloseUpView> closeUp("cat");
        QVERIFY(contextMenuOf(closeUp.view, draw).contains(fold));
        QVERIFY(closeUp.view.options().lines);
        const QStringList after = contextMenuOf(closeUp.view, hide);
        QVERIFY(after.contains(hide) && !after.contains(draw));
        QVERIFY(!closeUp.view.options().lines);
        Fixture<WholeView> whole("cat");
        const QStringList ofWhole = contextMenuOf(whole.view, fold);
        QVERIFY(ofWhole.contains(fold) && !ofWhole.contains(draw) && !ofWhole.contains(hide));
        QVERIFY(!whole.view.options().learned);
        QVERIFY(contextMenuOf(whole.view).contains(show));
    }

    void theBarShowsTheViewInSight() {
        Document document;
        QTabWidget tabs;
        auto *closeUp = new CloseUpView(document);
        auto *heads = new HeadsView(document);
        tabs.addTab(closeUp, "close-up");
        tabs.addTab(heads, "heads");
        auto *bar = new ViewBar(tabs);
        tabs.setCornerWidget(bar);
        tabs.show();
        auto *order = bar->findChild<QToolButton *>("headOrder");
        auto *zoom = bar->findChild<QToolButton *>("zoom");
        QVERIFY(bar->findChild<QToolButton *>("look")->toolTip().contains(
            QStringLiteral("fixed, 0 to 1"))); // without a figure, no colour bar is shown
        QVERIFY(!order->isVisible());
        QCOMPARE(zoom->text(), QStringLiteral("100 %"));
        bar->zoomActions()[0]->trigger();
        QCOMPARE(zoom->text(), QStringLiteral("125 %"));
        tabs.setCurrentWidget(heads);
        QVERIFY(order->isVisible());
        QCOMPARE(zoom->text(), QStringLiteral("100 %")); // each view has its own zoom
        tabs.setCurrentWidget(closeUp);
        zoom->click();
        QCOMPARE(closeUp->zoom(), 1.0);
    }
};

HEADLIGHT_WIDGET_TEST(ViewsTest)
#include "tst_views.moc"
