// Hover texts of the views: in the status bar and in tooltips, everywhere in the view.
#include "tests/support/long.h"
#include "tests/support/opened.h"
#include "tests/support/test_main.h"
#include "ui/views/flow_view.h"
#include "ui/views/geometry_view.h"
#include "ui/views/heads_view.h"
#include "ui/views/similarity_view.h"

#include <QHelpEvent>
#include <QToolTip>

#include <algorithm>

using namespace headlight;
using namespace headlight::ui;

namespace {

const QStringList kSessions{"encoder_prenorm", "encoder_decoder", "cross_attention_only",
                            "gemma_2",         "gpt_neox",        "olmo_2"};

template <typename View>
struct HoverFixture {
    Document document;
    View view{document};

    explicit HoverFixture(const QString &session) {
        view.resize(1200, 800);
        document.open(test::opened(
            QStringLiteral(HEADLIGHT_TEST_DATA "/sessions/%1.headlight").arg(session)));
        if (!test::settled(document))
            qFatal("no trace");
        view.show();
        (void)test::exposed(view);
        (void)view.figure();
    }

    /// Returns the hover text at a point. Sends an event, so the pointer need not rest.
    QString under(QPointF point) {
        QSignalSpy hovered(&view, &FigureView::hovered);
        QMouseEvent move(QEvent::MouseMove, point, view.mapToGlobal(point), Qt::NoButton,
                         Qt::NoButton, {});
        QCoreApplication::sendEvent(&view, &move);
        return hovered.isEmpty() ? QString() : hovered.last()[0].toString();
    }
    void askForToolTip(QPointF point) {
        QHelpEvent help(QEvent::ToolTip, point.toPoint(), view.mapToGlobal(point.toPoint()));
        QCoreApplication::sendEvent(&view, &help);
    }
};

} // namespace

class HoverWordsTest : public QObject {
    Q_OBJECT

    static void everySession() {
        QTest::addColumn<QString>("session");
        for (const QString &session : kSessions)
            QTest::newRow(qPrintable(session)) << session;
    }

    /// Checks points at a few pixels' distance, including some beyond the edges.
    template <typename View>
    static int said(const QString &session) {
        HoverFixture<View> fixture(session);
        int count = 0;
        const int step = test::isLong() ? 1 : 2;
        for (int y = -6; y <= fixture.view.height() + 6; y += 29 * step)
            for (int x = -6; x <= fixture.view.width() + 6; x += 31 * step) {
                fixture.askForToolTip(QPointF(x, y));
                count += fixture.under(QPointF(x, y)).isEmpty() ? 0 : 1;
            }
        return count;
    }

  private slots:
    void init() { QSettings().clear(); }

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
                QCOMPARE(fixture.under(point * fixture.view.shrink()), box.name);
        }
        for (double y = geometry.map.area.top(); y < geometry.map.area.bottom(); y += 5)
            for (double x = geometry.map.area.left(); x < geometry.map.area.right(); x += 11) {
                const QPointF point(x, y);
                const auto in =
                    std::ranges::find_if(geometry.map.boxes, [point](const FlowMapBox &box) {
                        return box.rect.contains(point);
                    });
                const QString words = fixture.under(point * fixture.view.shrink());
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
