// Layout of heatmaps, without painting.
#include "tests/ui/figures/figure_fixture.h"
#include "ui/figures/heads/heads_geometry.h"
#include "ui/figures/heatmap/heatmap_geometry.h"

namespace {

HeatmapRequest requestOf(double width, double height, core::Index rows, core::Index columns) {
    HeatmapRequest request;
    request.area = QRectF(20, 30, width, height);
    request.rows = rows;
    request.columns = columns;
    request.titleHeight = 18;
    request.subtitleHeight = 15;
    request.rowLabelWidth = 52;
    request.columnLabelWidth = 52;
    request.rowAxis = true;
    request.columnAxis = true;
    return request;
}

} // namespace

class HeatmapGeometryTest : public QObject {
    Q_OBJECT

  private slots:
    void everythingLiesInTheArea_data() {
        test::addCombinations<QSizeF, Index, Index, bool>(
            {"size", "rows", "columns", "slant"},
            {QSizeF(240, 200), QSizeF(400, 400), QSizeF(1200, 300)}, {1, 2, 8, 64},
            {1, 2, 16, 64, 512}, {true, false});
    }
    void everythingLiesInTheArea() {
        QFETCH(QSizeF, size);
        QFETCH(Index, rows);
        QFETCH(Index, columns);
        QFETCH(bool, slant);
        HeatmapRequest request = requestOf(size.width(), size.height(), rows, columns);
        request.slantColumnLabels = slant;
        request.maximumAspect = slant ? 1.35 : 3;
        request.minimumAspect = slant ? 1 : 0.3;
        const HeatmapGeometry geometry = HeatmapGeometry::of(request);
        const QRectF area = request.area.adjusted(-0.01, -0.01, 0.01, 0.01);
        QVERIFY(!geometry.cells.isEmpty());
        for (const QRectF &part : {geometry.cells, geometry.title, geometry.subtitle, geometry.used,
                                   geometry.rowAxis, geometry.columnAxis, geometry.colourBar})
            QVERIFY(part.isEmpty() || area.contains(part));
        for (core::Index row = 0; row < request.rows; ++row) {
            const QRectF label = geometry.rowLabel(row);
            QVERIFY(label.left() >= area.left() && label.right() <= geometry.cells.left());
        }
        for (core::Index column = 0; column < request.columns; ++column) {
            if (geometry.slanted) {
                const QPointF start = geometry.columnLabelStart(column);
                const double length = geometry.columnLabelWidth * 0.7071;
                QVERIFY(start.x() + length <= area.right());
                QVERIFY(start.y() - length >= geometry.subtitle.bottom());
            } else {
                const QRectF label = geometry.columnLabel(column);
                QVERIFY(label.bottom() <= geometry.cells.top());
                QVERIFY(label.top() >= geometry.subtitle.bottom());
            }
        }
        QVERIFY(!geometry.colourBar.intersects(geometry.cells));
        QVERIFY(geometry.colourBar.height() > 0);
    }

    void cellAtUndoesCellRect() {
        for (const core::Index columns : {1, 3, 16, 200}) {
            const HeatmapGeometry geometry = HeatmapGeometry::of(requestOf(500, 500, 8, columns));
            for (core::Index row = 0; row < 8; ++row)
                for (core::Index column = 0; column < columns; ++column) {
                    const QRectF cell = geometry.cellRect(row, column);
                    QCOMPARE(geometry.cellAt(cell.center()), (Cell{row, column}));
                    QCOMPARE(geometry.cellAt(cell.topLeft() + QPointF(0.01, 0.01)),
                             (Cell{row, column}));
                }
        }
    }

    void outsideTheCellsThereIsNone() {
        const HeatmapGeometry geometry = HeatmapGeometry::of(requestOf(400, 400, 8, 8));
        const QRectF &cells = geometry.cells;
        for (const QPointF point : {cells.topLeft() - QPointF(1, 0), cells.bottomRight(),
                                    cells.topRight(), QPointF(-1e9, 1e9)})
            QVERIFY(!geometry.cellAt(point));
        QVERIFY(!HeatmapGeometry::of(requestOf(400, 400, 0, 8)).cellAt(cells.center()));
    }

    void cellsAreWholePixels() {
        for (const double width : {300.0, 333.3, 471.7}) {
            const HeatmapGeometry geometry = HeatmapGeometry::of(requestOf(width, 400, 8, 8));
            QVERIFY(geometry.cell.width() >= 3);
            QCOMPARE(geometry.cell.width(), std::floor(geometry.cell.width()));
            QCOMPARE(geometry.cells.left(), std::floor(geometry.cells.left()));
            QCOMPARE(geometry.cells.top(), std::floor(geometry.cells.top()));
        }
    }

    void labelsShownDoNotTouch() {
        for (const core::Index count : {8, 64, 300}) {
            const HeatmapGeometry geometry = HeatmapGeometry::of(requestOf(400, 400, count, count));
            QVERIFY(static_cast<double>(geometry.rowLabelStep) * geometry.cell.height() >=
                    geometry.lineHeight * 0.9);
            QVERIFY(geometry.slanted);
            // The distance between slanted lines is 1/√2 of their distance along the axis.
            QVERIFY(static_cast<double>(geometry.columnLabelStep) * geometry.cell.width() *
                        0.7071 >=
                    geometry.lineHeight * 0.75);
        }
    }

    void shortLabelsStayFlat() {
        HeatmapRequest request = requestOf(600, 600, 8, 8);
        request.columnLabelWidth = 20;
        QVERIFY(!HeatmapGeometry::of(request).slanted);
        QCOMPARE(HeatmapGeometry::of(request).columnLabelStep, core::Index(1));
    }

    void movesAsAWhole() {
        HeatmapGeometry geometry = HeatmapGeometry::of(requestOf(400, 400, 8, 8));
        const QRectF before = geometry.cellRect(3, 4);
        geometry.moveBy(QPointF(10, -5));
        QCOMPARE(geometry.cellRect(3, 4), before.translated(10, -5));
    }

    void tilesNeitherOverlapNorLeave_data() {
        test::addCombinations<QSizeF, int, int>({"size", "heads", "tokens"},
                                                {QSizeF(400, 300), QSizeF(700, 420),
                                                 QSizeF(960, 540), QSizeF(1600, 900),
                                                 QSizeF(600, 1000)},
                                                {1, 2, 3, 8, 12, 64}, {2, 8, 64});
    }
    void tilesNeitherOverlapNorLeave() {
        QFETCH(QSizeF, size);
        QFETCH(int, heads);
        QFETCH(int, tokens);
        HeadsRequest request;
        request.area = QRectF(QPointF(0, 0), size);
        request.heads = heads;
        request.rows = tokens;
        request.columns = tokens;
        request.enlarged.rows = tokens;
        request.enlarged.columns = tokens;
        request.enlarged.titleHeight = 19;
        request.enlarged.rowLabelWidth = 50;
        request.enlarged.columnLabelWidth = 50;
        const HeadsGeometry geometry = HeadsGeometry::of(request);
        const char *fault = test::faultOf(geometry, request.area, heads);
        QVERIFY2(!fault, fault);
        for (std::size_t i = 0; i < geometry.tiles.size(); ++i)
            QCOMPARE(geometry.tileAt(geometry.matrices[i].center()), static_cast<core::Index>(i));
        if (heads == 1 && tokens == 2 && size.width() >= 600) // the cells use all of the space
            QVERIFY(geometry.enlarged.cell.height() > 70);
        QVERIFY(!geometry.tileAt(QPointF(-1, -1)));
        QCOMPARE(geometry.cellAt(geometry.enlarged.cellRect(1, 0).center()), (Cell{1, 0}));
    }
};

HEADLIGHT_APPLESS_TEST(HeatmapGeometryTest)
#include "tst_heatmap_geometry.moc"
