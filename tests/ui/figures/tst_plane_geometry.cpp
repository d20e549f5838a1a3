#include "tests/support/test_main.h"
#include "ui/figures/geometry/plane_geometry.h"

#include "core/random.h"

#include <QTest>

using namespace headlight;
using ui::PlaneGeometry;
using ui::PlaneItem;
using ui::PlaneRequest;

namespace {

PlaneRequest square(std::vector<PlaneItem> items) {
    PlaneRequest request;
    request.area = {0, 0, 440, 430};
    request.tickWidth = 36;
    request.items = std::move(items);
    return request;
}

} // namespace

class PlaneGeometryTest : public QObject {
    Q_OBJECT
  private slots:
    void bothAxesHaveOneScale() {
        const PlaneGeometry plane = PlaneGeometry::of(square({{{3, 0.3}}, {{1, 1}}}));
        const QPointF origin = plane.onScreen({0, 0});
        const QPointF right = plane.onScreen({1, 0});
        const QPointF up = plane.onScreen({0, 1});
        QCOMPARE(right.x() - origin.x(), origin.y() - up.y());
        QCOMPARE(right.y(), origin.y());
        QVERIFY(up.y() < origin.y());
        const core::PlanePoint back = plane.inPlane(plane.onScreen({0.7, -1.3}));
        QVERIFY(std::abs(back.x - 0.7) < 1e-9 && std::abs(back.y + 1.3) < 1e-9);
    }

    void everythingIsInSight() {
        const std::vector<PlaneItem> items{{{-5, 2}}, {{40, 3}, {30, -60}, true}, {{7, 7}}};
        const PlaneGeometry plane = PlaneGeometry::of(square(items));
        for (const PlaneItem &item : items) {
            QVERIFY(plane.plot.contains(plane.onScreen(item.at)));
            QVERIFY(plane.plot.contains(plane.onScreen(item.from)));
        }
        QVERIFY(plane.plot.contains(plane.onScreen({0, 0})));
    }

    void withoutTheOriginWhereItMeansNothing() {
        PlaneRequest request = square({{{100, 100}}, {{101, 101}}});
        request.showsOrigin = false;
        const PlaneGeometry plane = PlaneGeometry::of(request);
        QVERIFY(!plane.plot.contains(plane.onScreen({0, 0})));
        QVERIFY(plane.plot.contains(plane.onScreen({100, 100})));
    }

    void ticksAreRoundNumbers_data() {
        QTest::addColumn<double>("size");
        for (const double size : {1e-5, 0.03, 0.7, 1.0, 4.4, 90.0, 12345.0, 1e9})
            QTest::newRow(qPrintable(QString::number(size))) << size;
    }
    void ticksAreRoundNumbers() {
        QFETCH(double, size);
        const PlaneGeometry plane = PlaneGeometry::of(square({{{size, size}}, {{-size, 0}}}));
        const double digit =
            plane.tickStep / std::pow(10, std::floor(std::log10(plane.tickStep) + 1e-9));
        QVERIFY(std::abs(digit - 1) < 1e-6 || std::abs(digit - 2) < 1e-6 ||
                std::abs(digit - 5) < 1e-6);
        QVERIFY(plane.xTicks.size() >= 2 && plane.xTicks.size() <= 8);
        QVERIFY(std::count(plane.xTicks.begin(), plane.xTicks.end(), 0.0) == 1);
        for (const double tick : plane.xTicks)
            QVERIFY(plane.plot.adjusted(-1, -1, 1, 1)
                        .contains(plane.onScreen({tick, plane.sight.centre.y})));
    }

    void pointsInOnePlaceAndNoPoints() {
        for (const auto &items : {std::vector<PlaneItem>{}, {{{0, 0}}}, {{{2, 2}}, {{2, 2}}}}) {
            const PlaneGeometry plane = PlaneGeometry::of(square(items));
            QVERIFY(std::isfinite(plane.sight.unit) && plane.sight.unit > 0);
            QVERIFY(!plane.xTicks.empty());
        }
    }

    void aSightIsKept() {
        PlaneRequest request = square({{{3, 0.3}}});
        request.sight = ui::PlaneViewport{{1, 2}, 50};
        const PlaneGeometry plane = PlaneGeometry::of(request);
        QCOMPARE(plane.onScreen({1, 2}), plane.plot.center());
        QCOMPARE(plane.onScreen({2, 2}).x(), plane.plot.center().x() + 50);
    }

    void namesDoNotCollide_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("spread");
        QTest::newRow("a phrase") << 4 << 1.0;
        QTest::newRow("a sentence") << 24 << 1.0;
        QTest::newRow("a sentence, crowded") << 24 << 0.05;
        QTest::newRow("two hundred points") << 200 << 1.0;
    }
    void namesDoNotCollide() {
        QFETCH(int, count);
        QFETCH(double, spread);
        core::Random random(3);
        std::vector<PlaneItem> items;
        for (int i = 0; i < count; ++i)
            items.push_back({{spread * random.normal(), spread * random.normal()},
                             {},
                             i % 2 == 0,
                             QSizeF(18 + 7 * (i % 6), 14),
                             i % 3});
        items.push_back({{3, 3},
                         {},
                         false,
                         QSizeF(30, 14),
                         0}); // stretches the plane, so that the crowd is small
        const PlaneGeometry plane = PlaneGeometry::of(square(items));
        QCOMPARE(plane.names.size(), items.size());
        int shown = 0;
        for (std::size_t i = 0; i < items.size(); ++i) {
            const QRectF &name = plane.names[i].rect;
            if (name.isEmpty())
                continue;
            ++shown;
            QVERIFY(plane.plot.contains(name));
            for (std::size_t j = 0; j < items.size(); ++j) {
                QVERIFY2(!name.contains(plane.onScreen(items[j].at)), "a name covers a point");
                QVERIFY2(i == j || !name.intersects(plane.names[j].rect), "two names overlap");
            }
        }
        if (spread == 1.0 && count <= 24)
            QCOMPARE(shown, count + 1);
        else
            QVERIFY2(shown >= 12, qPrintable(QString::number(shown)));
    }

    void namesOfALowRankComeFirst() {
        // Thirty points in one place: only some names fit, including the selected one.
        std::vector<PlaneItem> items;
        for (int i = 0; i < 30; ++i)
            items.push_back({{1, 1}, {}, false, QSizeF(120, 14), 1});
        items.back().rank = 0;
        const PlaneGeometry plane = PlaneGeometry::of(square(items));
        QVERIFY(!plane.names.back().rect.isEmpty());
        QVERIFY(!plane.names.back().leader);
    }

    void anArrowsNameIsBeyondItsTip() {
        const PlaneGeometry plane =
            PlaneGeometry::of(square({{{-2, 0}, {}, true, QSizeF(40, 14), 0}}));
        QVERIFY(plane.names[0].rect.right() < plane.onScreen({-2, 0}).x());
    }

    void theNearestTipIsFound() {
        const std::vector<PlaneItem> items{{{0, 0}}, {{1, 0}}, {{1, 0}}};
        const PlaneGeometry plane = PlaneGeometry::of(square(items));
        QCOMPARE(plane.itemAt(plane.onScreen({1, 0}) + QPointF(3, 3), items),
                 std::optional<std::size_t>(2));
        QCOMPARE(plane.itemAt(plane.onScreen({0, 0}) + QPointF(0, 4), items),
                 std::optional<std::size_t>(0));
        QVERIFY(!plane.itemAt(plane.onScreen({0.5, 0}), items));
    }
};

HEADLIGHT_GUILESS_TEST(PlaneGeometryTest)
#include "tst_plane_geometry.moc"
