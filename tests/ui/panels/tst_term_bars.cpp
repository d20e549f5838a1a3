// Positions of bars, and hit tests.
#include "tests/ui/panels/editor_fixture.h"

class TermBarsTest : public QObject {
    Q_OBJECT

  private slots:
    void everyBarHasItsPlace() {
        for (const int count : {0, 1, 2, 16, 64, 768, 4096})
            for (const double width : {20.0, 268.0, 1000.0}) {
                const TermBarsGeometry places = TermBarsGeometry::of(count, width, 1);
                QVERIFY(places.rows() * places.perRow >= count);
                for (int index = 0; index < count; ++index) {
                    const QRectF place = places.place(index);
                    QCOMPARE(places.at(place.center()), std::optional<int>(index));
                    QVERIFY(place.left() >= 0 && place.right() <= width + 0.01);
                    QVERIFY(place.bottom() <= places.height() + 0.01);
                    QVERIFY(place.width() >= 4 - 0.01);
                }
                QVERIFY(!places.at({-1, 1}) && !places.at({1, -1}));
                QVERIFY(!places.at({1, places.height() + 1}));
            }
    }

    void aBarIsAsLongAsItsValue() {
        const TermBarsGeometry places = TermBarsGeometry::of(4, 100, 1, -1, 3);
        QVERIFY(places.bar(0, 3).top() >= 0);
        QVERIFY(std::abs(places.bar(0, 3).height() - 3 * places.bar(1, 1).height()) < 1e-9);
        QVERIFY(places.bar(2, -1).top() >= places.bar(0, 3).bottom() - 0.01);
        QVERIFY(places.bar(2, -1).bottom() <= places.rowHeight);
        // With positive values only, zero is at the bottom.
        QVERIFY(TermBarsGeometry::of(4, 100, 1, 0, 3).axis > 0.9);
    }

    void coloursTellTheSignAndTinyOnesShow() {
        TermBars bars;
        TermSeries series;
        series.terms = {
            {1, 1}, {-1, 1}, {0, 1}, {1e-9f, 1}, {-std::numeric_limits<float>::infinity(), 1}};
        series.leftName = "value";
        series.indexName = "key";
        bars.setSeries(series);
        bars.resize(140, bars.heightForWidth(140));
        const QImage image = bars.grab().toImage();
        const TermBarsGeometry places = bars.geometryNow();
        const auto colour = [&](int index, double value) {
            return image.pixelColor(places.bar(index, value).center().toPoint());
        };
        QVERIFY(colour(0, 1).red() > colour(0, 1).blue());
        QVERIFY(colour(1, -1).blue() > colour(1, -1).red());
        const auto painted = [&](int index) {
            const QRect place =
                places.place(index).adjusted(1, 1, -3, -1 - places.axes.line).toAlignedRect();
            QSet<QRgb> colours;
            for (int y = place.top(); y <= place.bottom() && y < image.height(); ++y)
                colours.insert(image.pixel(place.center().x(), y));
            return colours.size();
        };
        QCOMPARE(painted(2), 2); // the background and the zero line
        QVERIFY(painted(3) > 1);
        QVERIFY(painted(4) > 1); // hatched
    }

    void aSeriesSaysItsNumbers() {
        TermSeries series;
        series.terms = {{0.5f, 2}, {-1, 0.25f}};
        series.leftName = "q";
        series.rightName = "k";
        series.indexName = "dimension";
        QCOMPARE(series.words(1), QString("dimension 1: −1.000 × 0.250 = −0.250"));
        QCOMPARE(series.summary(), QString("Σ of 2 = 0.750"));
        QCOMPARE(series.table(),
                 QString("dimension\tq\tk\tq × k\n0\t0.5\t2\t1\n1\t-1\t0.25\t-0.25\n"));
        series.sums = false;
        QCOMPARE(series.summary(), QString("largest: dimension 0, 1.000; smallest: 1, −0.250"));
        series.terms.pop_back();
        QCOMPARE(series.summary(), QString("largest: dimension 0, 1.000"));
    }
};

HEADLIGHT_WIDGET_TEST(TermBarsTest)
#include "tst_term_bars.moc"
