// Every point of a view has its hover text, in the status bar and in the tooltip.
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

    /// Checks points that are a few pixels apart, including some beyond the edges.
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
    void everyPointOfEveryView_data() { everySession(); }
    void everyPointOfEveryView() {
        QFETCH(QString, session);
        QVERIFY(said<WholeView>(session) > 10);
        QVERIFY(said<CloseUpView>(session) > 10);
        QVERIFY(said<HeadsView>(session) > 10);
        QVERIFY(said<SimilarityView>(session) > 10);
        QVERIFY(said<GeometryView>(session) > 0);
    }
};

HEADLIGHT_WIDGET_TEST(HoverWordsTest)
#include "tst_hover_words.moc"
