#include "tests/ui/figures/figure_fixture.h"
#include "ui/document/new_session.h"
#include "ui/figures/geometry/plane_geometry.h"

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

constexpr QSizeF kBesideDocks(698, 420); // the space between the docks at 1280 × 720
constexpr QSizeF kAlone(1280, 560);
constexpr QSizeF kSmall(420, 380);

GeometryFigure planesOf(const QString &text, double scale, PlaneAxes axes,
                        std::optional<core::Index> query, ShownSpaces spaces = ShownSpaces::All) {
    NewSession wanted = usualSession(NewKind::AttentionOnly);
    wanted.text = text;
    const OpenedSource opened = *makeSession(wanted);
    core::Selection selection = opened.selection;
    selection.query = query;
    selection.key.reset();
    FigureOptions options;
    options.plane.axes = axes;
    options.plane.spaces = spaces;
    return GeometryFigure::fromTrace(test::passOf(opened.state), selection,
                                     FigureStyle::light(scale), options);
}

/// Returns the layout in a view that scrolls.
GeometryLayout placed(const GeometryFigure &figure, const QSizeF &sight) {
    return figure.geometry(QRectF(QPointF(), figure.readableSize(sight)));
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

    /// The foot of a projection is visible, even if it is farther away than all points.
    void theFootOfAProjectionIsInSight() {
        PlaneRequest request = square({{{1, 1}}, {{3, 0.3}}});
        const core::PlanePoint foot{2.5, 9};
        const auto isInSight = [&] {
            const PlaneGeometry plane = PlaneGeometry::of(request);
            return plane.plot.contains(plane.onScreen(foot));
        };
        QVERIFY(!isInSight());
        request.framed = {foot};
        QVERIFY(isInSight());
    }

    void withoutTheOriginWhereItMeansNothing() {
        PlaneRequest request = square({{{100, 100}}, {{101, 101}}});
        request.showsOrigin = false;
        const PlaneGeometry plane = PlaneGeometry::of(request);
        QVERIFY(!plane.plot.contains(plane.onScreen({0, 0})));
        QVERIFY(plane.plot.contains(plane.onScreen({100, 100})));
    }

    void ticksAreRoundNumbers_data() {
        test::addRows("size", std::vector<double>{1e-5, 0.03, 0.7, 1.0, 4.4, 90.0, 12345.0, 1e9});
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
        test::addColumns<int, double>({"count", "spread"});
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
                         0}); // makes the plane larger, so that the crowd is small
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
        // Thirty points at one position: only some names fit, and the selected one is among them.
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

    void nothingIsLeftOutUpToElevenTokens_data() {
        test::addColumns<QString, QSizeF, double, PlaneAxes>({"text", "sight", "scale", "axes"});
        const std::pair<const char *, QString> texts[] = {
            {"two words", "money bank"},
            {"a sentence", "In a sentence , the same word may mean two things"},
            {"Chinese", "我 把 钱 存 进 河边 的 那 家 老 银行"},
            {"Arabic", "وضعت المال في البنك الذي يقع على ضفة النهر القديم هنا"},
            {"long words", "Donaudampfschifffahrt Gesellschaft uncharacteristically bank a b c d"}};
        for (const auto &[name, text] : texts)
            for (const QSizeF &sight : {kBesideDocks, kAlone, kSmall})
                for (const double scale : {1.0, 1.5, 2.0})
                    for (const PlaneAxes axes : kPlaneAxes)
                        QTest::addRow("%s, %.0f px, %.1f, %s", name, sight.width(), scale,
                                      qPrintable(nameOf(axes)))
                            << text << sight << scale << axes;
    }
    void nothingIsLeftOutUpToElevenTokens() {
        QFETCH(QString, text);
        QFETCH(QSizeF, sight);
        QFETCH(double, scale);
        QFETCH(PlaneAxes, axes);
        for (const std::optional<core::Index> &query :
             {test::some(1), std::optional<core::Index>()}) {
            const GeometryFigure figure = planesOf(text, scale, axes, query);
            const GeometryLayout places = placed(figure, sight);
            QCOMPARE(places.area.width(), sight.width());
            for (std::size_t i = 0; i < figure.count(); ++i) {
                const PlaneGeometry &plane = places.planes[i];
                const std::vector<PlaneItem> &items = figure.figure(i).items();
                QVERIFY(places.cards[i].contains(plane.title));
                QVERIFY(places.cards[i].contains(plane.plot));
                if (!figure.plane(i).content.nothing.isEmpty())
                    continue; // this plane only asks the user to select a query
                QVERIFY2(plane.plot.height() >= 60 * scale && plane.plot.width() >= 60 * scale,
                         test::said("%1: %2", i, plane.plot.height()));
                for (std::size_t j = 0; j < items.size(); ++j) {
                    if (items[j].name.isEmpty())
                        continue;
                    QVERIFY2(!plane.names[j].rect.isEmpty(),
                             test::said("plane %1 has no room for %2, %3 x %4", i,
                                        figure.plane(i).content.vectors[j].name, plane.plot.width(),
                                        plane.plot.height()));
                    for (std::size_t other = 0; other < j; ++other)
                        QVERIFY(!plane.names[j].rect.intersects(plane.names[other].rect));
                }
            }
            QVERIFY(test::areApart(places.cards));
            for (const QRectF &line : places.words)
                QVERIFY(places.area.contains(line));
        }
    }

    /// If there are few tokens, their names are complete. Long names are elided.
    void noLineIsCut_data() { test::addRows("scale", std::vector<double>{1.0, 2.0}); }
    void noLineIsCut() {
        QFETCH(double, scale);
        for (const PlaneAxes axes : kPlaneAxes) {
            const GeometryFigure figure =
                planesOf("In a sentence the same word may mean two things", scale, axes, 1);
            const QSizeF size = figure.readableSize(kBesideDocks);
            const auto record = test::PaintingRecord::of(figure, size, ui::Device::Vector);
            const GeometryLayout places = figure.geometry(QRectF(QPointF(), size));
            QVERIFY(record.texts.size() > 30);
            for (const auto &text : record.texts) {
                QVERIFY2(!text.text.contains(QChar(0x2026)), qPrintable(text.text));
                QVERIFY2(text.centre.x() + text.width / 2 <= size.width() &&
                             text.centre.x() - text.width / 2 >= 0 &&
                             text.centre.y() < size.height(),
                         qPrintable(text.text));
            }
            // Numbers at the axes do not overlap.
            for (const PlaneGeometry &plane : places.planes)
                for (const QRectF &side :
                     {QRectF(plane.area.left(), plane.plot.top() - 8,
                             plane.plot.left() - plane.area.left(), plane.plot.height() + 16),
                      QRectF(plane.plot.left() - 20, plane.plot.bottom() + 4,
                             plane.plot.width() + 40, plane.lineHeight)}) {
                    const bool isDown = side.height() > side.width();
                    std::vector<std::pair<double, double>> taken;
                    for (const auto &text : record.texts)
                        if (side.contains(text.centre) && !plane.plot.contains(text.centre)) {
                            const double at = isDown ? text.centre.y() : text.centre.x();
                            // half of the text's extent along the axis
                            const double half = isDown ? 0.5 * text.pixels : text.width / 2;
                            for (const auto &[low, high] : taken)
                                QVERIFY2(at + half <= low + 0.5 || at - half >= high - 0.5,
                                         qPrintable(text.text));
                            taken.emplace_back(at - half, at + half);
                        }
                }
        }
    }
};

HEADLIGHT_WIDGET_TEST(PlaneGeometryTest)
#include "tst_plane_geometry.moc"
