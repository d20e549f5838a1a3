// The grid of heads and the enlarged head next to it.
#include "tests/support/test_main.h"
#include "ui/figures/heads/heads_geometry.h"

#include <QTest>

using namespace headlight;
using namespace headlight::ui;

class HeadsGeometryTest : public QObject {
    Q_OBJECT

  private slots:
    void tilesNeitherOverlapNorLeave_data() {
        QTest::addColumn<QSizeF>("size");
        QTest::addColumn<int>("heads");
        QTest::addColumn<int>("tokens");
        for (const QSizeF size : {QSizeF(400, 300), QSizeF(700, 420), QSizeF(960, 540),
                                  QSizeF(1600, 900), QSizeF(600, 1000)})
            for (const int heads : {1, 2, 3, 8, 12, 64})
                for (const int tokens : {2, 8, 64})
                    QTest::addRow("%.0fx%.0f, %d heads, %d tokens", size.width(), size.height(),
                                  heads, tokens)
                        << size << heads << tokens;
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
        QCOMPARE(geometry.tiles.size(), std::size_t(heads == 1 ? 0 : heads));
        const QRectF area = request.area.adjusted(-0.01, -0.01, 0.01, 0.01);
        QVERIFY(area.contains(geometry.card));
        QVERIFY(geometry.card.contains(geometry.enlarged.cells));
        QVERIFY(heads == 1 || area.contains(geometry.colourBar));
        QVERIFY(!geometry.title.intersects(geometry.card));
        for (std::size_t i = 0; i < geometry.tiles.size(); ++i) {
            const QRectF &tile = geometry.tiles[i];
            QVERIFY(area.contains(tile));
            QVERIFY(tile.contains(geometry.matrices[i]));
            QVERIFY(tile.contains(geometry.titles[i]));
            QVERIFY(!geometry.titles[i].intersects(geometry.matrices[i]));
            QVERIFY(!tile.intersects(geometry.card));
            QVERIFY(!tile.intersects(geometry.colourBar));
            QVERIFY(!tile.intersects(geometry.title));
            QVERIFY(!geometry.colourBar.intersects(geometry.card));
            for (std::size_t j = i + 1; j < geometry.tiles.size(); ++j)
                QVERIFY(!tile.intersects(geometry.tiles[j]));
            QCOMPARE(geometry.tileAt(geometry.matrices[i].center()), static_cast<core::Index>(i));
        }
        if (heads == 1 && tokens == 2 && size.width() >= 600) // the cells fill the space
            QVERIFY(geometry.enlarged.cell.height() > 70);
        QVERIFY(!geometry.tileAt(QPointF(-1, -1)));
        QCOMPARE(geometry.cellAt(geometry.enlarged.cellRect(1, 0).center()), (Cell{1, 0}));
    }
};

HEADLIGHT_APPLESS_TEST(HeadsGeometryTest)
#include "tst_heads_geometry.moc"
