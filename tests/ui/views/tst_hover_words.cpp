// Hover texts of the views: in the status bar and in tooltips, everywhere in the view.
#include "tests/support/long.h"
#include "tests/ui/views/view_fixture.h"

namespace {

const QStringList kSessions{"encoder_prenorm", "encoder_decoder", "cross_attention_only",
                            "gemma_2",         "gpt_neox",        "olmo_2"};

template <typename View>
struct HoverFixture : test::Fixture<View> {
    using test::Fixture<View>::view;

    explicit HoverFixture(const QString &session)
        : test::Fixture<View>(test::sessionPath(session)) {}
    void askForToolTip(QPointF point) {
        QHelpEvent help(QEvent::ToolTip, point.toPoint(), view.mapToGlobal(point.toPoint()));
        QCoreApplication::sendEvent(&view, &help);
    }
};

} // namespace

class HoverWordsTest : public test::CleanTest {
    Q_OBJECT

    static void everySession() { test::addRows("session", kSessions); }

    /// Checks points at a few pixels' distance, including some beyond the edges.
    template <typename View>
    static int said(const QString &session) {
        HoverFixture<View> fixture(session);
        int count = 0;
        const int step = test::isLong() ? 1 : 2;
        for (int y = -6; y <= fixture.view.height() + 6; y += 29 * step)
            for (int x = -6; x <= fixture.view.width() + 6; x += 31 * step) {
                fixture.askForToolTip(QPointF(x, y));
                count += fixture.hover(QPointF(x, y)).isEmpty() ? 0 : 1;
            }
        return count;
    }

  private slots:
    void everyPointOfTheMapSaysItsBox_data() { everySession(); }
    void everyPointOfTheMapSaysItsBox() {
        QFETCH(QString, session);
        HoverFixture<FlowView> fixture(session);
        const FlowGeometry geometry = fixture.view.geometry();
        QVERIFY(geometry.map.boxes.size() > 1);
        std::size_t seen = 0;
        for (const FlowMapBox &box : geometry.map.boxes) {
            const QPointF corners[]{box.rect.topLeft() + QPointF(1, 1),
                                    box.rect.bottomRight() - QPointF(1, 1), box.rect.center()};
            fixture.askForToolTip(box.rect.center() * fixture.view.shrink());
            // The tooltip continues with the glossary entry of the part.
            QVERIFY(QToolTip::text().startsWith(box.name + QLatin1Char('\n')));
            for (const QPointF &point : corners)
                QCOMPARE(fixture.hover(point * fixture.view.shrink()), box.name);
        }
        for (double y = geometry.map.area.top(); y < geometry.map.area.bottom(); y += 5)
            for (double x = geometry.map.area.left(); x < geometry.map.area.right(); x += 11) {
                const QPointF point(x, y);
                const auto in =
                    std::ranges::find_if(geometry.map.boxes, [point](const FlowMapBox &box) {
                        return box.rect.contains(point);
                    });
                const QString words = fixture.hover(point * fixture.view.shrink());
                if (in == geometry.map.boxes.end())
                    continue;
                QCOMPARE(words, in->name);
                ++seen;
            }
        QVERIFY(seen > geometry.map.boxes.size());
    }

    void everyPointOfEveryView_data() { everySession(); }
    void everyPointOfEveryView() {
        QFETCH(QString, session);
        QVERIFY(said<FlowView>(session) > 10);
        QVERIFY(said<HeadsView>(session) > 10);
        QVERIFY(said<SimilarityView>(session) > 10);
        QVERIFY(said<GeometryView>(session) > 0);
    }
};

HEADLIGHT_WIDGET_TEST(HoverWordsTest)
#include "tst_hover_words.moc"
