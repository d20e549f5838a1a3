// Matrices too large to be shown completely, rows that are not computed yet, orders of heads, and
// similarities.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/heatmap/heatmap_painting.h"

namespace {

HeatmapRequest largeRequest() {
    HeatmapRequest request;
    request.area = QRectF(10, 20, 500, 400);
    request.rows = 512;
    request.columns = 512;
    request.titleHeight = 18;
    request.subtitleHeight = 14;
    request.rowLabelWidth = 50;
    request.columnLabelWidth = 50;
    request.window = true;
    return request;
}

} // namespace

class FigureWindowsTest : public QObject {
    Q_OBJECT

  private slots:
    void aLargeMatrixIsAWindowOntoItself() {
        HeatmapRequest request = largeRequest();
        const HeatmapGeometry geometry = HeatmapGeometry::of(request);
        QVERIFY(geometry.isWindow);
        QVERIFY(geometry.cell.width() >= 8 && geometry.cell.height() >= 8);
        QVERIFY(geometry.rows > 10 && geometry.rows < 512);
        QVERIFY(request.area.contains(geometry.cells));
        QCOMPARE(geometry.origin, (Cell{0, 0}));
        request.focusRow = 300;
        request.focusColumn = 511;
        const HeatmapGeometry focused = HeatmapGeometry::of(request);
        QVERIFY(focused.showsRow(300) && focused.showsColumn(511));
        QCOMPARE(focused.endColumn(), core::Index(512));
        QCOMPARE(focused.cellAt(focused.cellRect(300, 511).center()), (Cell{300, 511}));
        request.origin = Cell{600, -4}; // clamped to the matrix
        const HeatmapGeometry clamped = HeatmapGeometry::of(request);
        QCOMPARE(clamped.endRow(), core::Index(512));
        QCOMPARE(clamped.origin.column, core::Index(0));
        request.window = false;
        QCOMPARE(HeatmapGeometry::of(request).rows, core::Index(512));
    }

    void whatFitsIsWhole() {
        HeatmapRequest request = largeRequest();
        request.rows = request.columns = 40;
        const HeatmapGeometry geometry = HeatmapGeometry::of(request);
        QVERIFY(!geometry.isWindow);
        QCOMPARE(geometry.rows, core::Index(40));
    }

    void sourcesAreOutlinedInTheirColour() {
        const auto trace = makeTrace();
        const FigureStyle style = FigureStyle::light();
        const auto figure = WholeFigure::fromTrace(trace, test::cellAt(Stage::Scores, 4, 3), style);
        const QImage image = test::paintedOn(figure, {1400, 900});
        const WholeGeometry geometry = figure.places(QRectF(image.rect())).map;
        const auto holds = [&](Stage stage, core::Index row, const QColor &colour) {
            const QRect rect =
                geometry.node({stage, {}})->cells().rowRect(row).adjusted(-4, -4, 4, 4).toRect();
            for (int y = rect.top(); y <= rect.bottom(); ++y)
                for (int x = rect.left(); x <= rect.right(); ++x)
                    if (image.pixelColor(x, y) == colour)
                        return true;
            return false;
        };
        QVERIFY(holds(Stage::Query, 4, style.query));
        QVERIFY(holds(Stage::Key, 3, style.key));
        QVERIFY(!holds(Stage::Query, 0, style.query));
    }

    void headsStandInTheChosenOrder() {
        TraceRecipe recipe;
        recipe.heads = 5;
        const auto trace = makeTrace(recipe);
        FigureOptions options;
        options.order = core::HeadOrder::Entropy;
        const auto figure = HeadsFigure::fromTrace(trace, {}, FigureStyle::light(), options);
        const auto measures = core::headMeasures(trace->stage(Stage::AttentionWeights),
                                                 {.length = 8, .mask = &trace->mask(0)});
        for (core::Index tile = 1; tile < 5; ++tile)
            QVERIFY(measures[static_cast<std::size_t>(figure.headOfTile(tile - 1))].entropy <=
                    measures[static_cast<std::size_t>(figure.headOfTile(tile))].entropy);
    }

    void aMeasureThatDoesNotExistIsADash() {
        for (const std::size_t tokens : {1, 2}) {
            TraceRecipe recipe;
            recipe.heads = 3;
            recipe.tokens.front().resize(tokens); // the recipe has a causal mask
            const auto trace = makeTrace(recipe);
            for (const core::HeadOrder order : core::kHeadOrders) {
                FigureOptions options;
                options.order = order;
                const auto figure =
                    HeadsFigure::fromTrace(trace, {}, FigureStyle::light(), options);
                const bool isMeasured = tokens == 2 && order != core::HeadOrder::Induction;
                const QString texts = test::textOf(figure, {1200, 800});
                const bool hasDash = texts.contains(QString::fromUtf8("  —"));
                QVERIFY2(hasDash == (order != core::HeadOrder::ByIndex && !isMeasured),
                         qPrintable(texts));
                if (!isMeasured)
                    QCOMPARE(figure.headOfTile(0), core::Index(0));
            }
        }
    }

    void zeroVectorsHaveNoDirection() {
        TraceRecipe recipe;
        core::CellMask cells;
        for (core::Index key = 0; key < 8; ++key)
            cells.cells.push_back({{}, 2, key, false});
        recipe.masks = {cells}; // query 2 sees no key, so its context is zero
        const auto figure =
            SimilarityFigure::fromTrace(makeTrace(recipe), {}, FigureStyle::light());
        QVERIFY(figure.heatmap(1).content().isHidden(2, 5));
        QVERIFY(figure.heatmap(1).content().isHidden(5, 2));
        QVERIFY(!figure.heatmap(0).content().isHidden(2, 5));
        QVERIFY(figure.words({2, 5}).contains(QStringLiteral("no direction")));
    }

    void headsThatAreMadeOneAtATimeAreSampled() {
        TraceRecipe recipe;
        recipe.tokens = {test::numberedWords(300)};
        recipe.heads = 4;
        recipe.headSize = 8;
        const auto whole = makeTrace(recipe); // the recipe has a causal mask
        const auto byHead =
            *test::forward(whole->model(), whole->input(), nullptr, {}, core::Detail::Heads);
        core::Selection selection;
        selection.head = 1;
        const auto trace = *byHead->prepared(Stage::AttentionWeights, {}, 0, 1);
        HeadsFigure figure = HeadsFigure::fromTrace(trace, selection, FigureStyle::light());
        for (core::Index head = 0; head < 4; ++head) {
            QCOMPARE(figure.lacks(head), head != 1);
            QCOMPARE(figure.shownInTile(head).tensor.isNull(), head != 1);
        }
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!figure.sampleMissing(*trace, selection, stop.get_token()).ok());
        QVERIFY(figure.sampleMissing(*trace, selection, {}).ok());
        const HeadsFigure like = HeadsFigure::fromTrace(whole, selection, FigureStyle::light());
        QVERIFY(!like.lacks(0));
        const QImage sampled = test::paintedOn(figure, {900, 560}),
                     expected = test::paintedOn(like, {900, 560});
        const HeadsGeometry geometry = figure.geometry(QRectF(sampled.rect()));
        for (core::Index head = 0; head < 4; ++head) {
            const HeatmapContent &shown = figure.shownInTile(head);
            QCOMPARE(shown.matrix().rows, core::Index(head == 1 ? 300 : 256));
            QVERIFY(shown.isHidden(0, shown.matrix().columns - 1));
            QVERIFY(!shown.isHidden(shown.matrix().rows - 1, 0));
            // A cell at the border of two blocks or pixels belongs to both. Next to the diagonal
            // and to the strongest cells, this changes the colour.
            const QRect cells = geometry.tileCells(head).cells.toAlignedRect();
            int same = 0;
            for (int y = cells.top(); y <= cells.bottom(); ++y)
                for (int x = cells.left(); x <= cells.right(); ++x)
                    same += sampled.pixel(x, y) == expected.pixel(x, y);
            const int all = cells.width() * cells.height();
            QVERIFY2(head == 1 ? same == all : same > all / 2,
                     test::said("%1 of %2 pixels of head %3", same, all, head));
        }
    }
};

HEADLIGHT_WIDGET_TEST(FigureWindowsTest)
#include "tst_figure_windows.moc"
