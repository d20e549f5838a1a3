// Planes in little space and with large text: all their parts are shown, and nothing overlaps.
#include "tests/support/forward.h"
#include "tests/support/painting_record.h"
#include "tests/support/test_main.h"
#include "ui/document/new_session.h"
#include "ui/figures/geometry/geometry_figure.h"

#include <QTest>

using namespace headlight;
using namespace headlight::ui;

namespace {

constexpr QSizeF kBesideDocks(698, 420); // the centre of the window at 1280 × 720
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
    return GeometryFigure::fromTrace(*test::forward(opened.state.model, opened.state.input),
                                     selection, FigureStyle::light(scale), options);
}

QString words(int count) {
    QStringList all;
    for (int i = 0; i < count; ++i)
        all << QStringLiteral("word%1").arg(i);
    return all.join(' ');
}

/// Returns the layout in a view that scrolls.
GeometryLayout placed(const GeometryFigure &figure, const QSizeF &sight) {
    return figure.geometry(QRectF(QPointF(), figure.readableSize(sight)));
}

} // namespace

class PlaneSizesTest : public QObject {
    Q_OBJECT

  private slots:
    void nothingIsLeftOutUpToElevenTokens_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QSizeF>("sight");
        QTest::addColumn<double>("scale");
        QTest::addColumn<PlaneAxes>("axes");
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
             {std::optional<core::Index>(1), std::optional<core::Index>()}) {
            const GeometryFigure figure = planesOf(text, scale, axes, query);
            const GeometryLayout places = placed(figure, sight);
            QCOMPARE(places.area.width(), sight.width());
            for (std::size_t i = 0; i < figure.count(); ++i) {
                const PlaneGeometry &plane = places.planes[i];
                const std::vector<PlaneItem> &items = figure.figure(i).items();
                QVERIFY(places.cards[i].contains(plane.title));
                QVERIFY(places.cards[i].contains(plane.plot));
                if (!figure.plane(i).content.nothing.isEmpty())
                    continue; // asks the user to select a query
                QVERIFY2(plane.plot.height() >= 60 * scale && plane.plot.width() >= 60 * scale,
                         qPrintable(QString("%1: %2").arg(i).arg(plane.plot.height())));
                for (std::size_t j = 0; j < items.size(); ++j) {
                    if (items[j].name.isEmpty())
                        continue;
                    QVERIFY2(!plane.names[j].rect.isEmpty(),
                             qPrintable(QString("plane %1 has no room for %2, %3 x %4")
                                            .arg(i)
                                            .arg(figure.plane(i).content.vectors[j].name)
                                            .arg(plane.plot.width())
                                            .arg(plane.plot.height())));
                    for (std::size_t other = 0; other < j; ++other)
                        QVERIFY(!plane.names[j].rect.intersects(plane.names[other].rect));
                }
            }
            for (std::size_t i = 0; i < places.cards.size(); ++i)
                for (std::size_t j = 0; j < i; ++j)
                    QVERIFY(!places.cards[i].intersects(places.cards[j]));
            for (const QRectF &line : places.words)
                QVERIFY(places.area.contains(line));
        }
    }

    /// Names are complete for few tokens. Long ones are elided as everywhere.
    void noLineIsCut_data() {
        QTest::addColumn<double>("scale");
        for (const double scale : {1.0, 2.0})
            QTest::addRow("%.1f", scale) << scale;
    }
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
                            const double half = isDown
                                                    ? 0.5 * text.pixels
                                                    : text.width / 2; // half the size of the digits
                            for (const auto &[low, high] : taken)
                                QVERIFY2(at + half <= low + 0.5 || at - half >= high - 0.5,
                                         qPrintable(text.text));
                            taken.emplace_back(at - half, at + half);
                        }
                }
        }
    }

    /// At 1280 × 720, no plane is low, with or without scrolling.
    void planesAreNotLowUpToThirtyTokens_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("scale");
        for (const int count : {1, 5, 11, 30})
            for (const double scale : {1.0, 1.5, 2.0})
                QTest::addRow("%d tokens, %.1f", count, scale) << count << scale;
    }
    void planesAreNotLowUpToThirtyTokens() {
        QFETCH(int, count);
        QFETCH(double, scale);
        const GeometryFigure figure = planesOf(words(count), scale, PlaneAxes::Principal, 0);
        for (const PlaneGeometry &plane : placed(figure, kBesideDocks).planes)
            QVERIFY(plane.plot.height() >= 60 && plane.plot.width() >= 60);
        // At the usual text size, almost all of it is visible.
        if (count <= 11 && scale == 1)
            QVERIFY(figure.readableSize(kBesideDocks).height() <= 1.15 * kBesideDocks.height());
        if (count <= 5 && scale == 1)
            QCOMPARE(figure.readableSize(kBesideDocks), kBesideDocks);
    }
};

HEADLIGHT_WIDGET_TEST(PlaneSizesTest)
#include "tst_plane_sizes.moc"
