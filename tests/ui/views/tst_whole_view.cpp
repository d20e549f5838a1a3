// The Whole view: a click opens a stage's close-up, and a view that is too small scrolls.
#include "tests/ui/views/view_fixture.h"

#include <QScrollBar>
#include <QSignalSpy>

using headlight::test::Fixture;

class WholeViewTest : public test::CleanTest {
    Q_OBJECT

    static QPointF middleOf(Fixture<WholeView> &fixture, Stage stage) {
        (void)fixture.view.figure();
        return fixture.view.places()
            .map.node({stage, fixture.selection().attention()})
            ->matrix.center();
    }

  private slots:
    void aClickOpensTheCloseUp() {
        Fixture<WholeView> fixture("cat", {}, {1200, 700});
        QSignalSpy asked(&fixture.view, &WholeView::closeUpRequested);
        fixture.select(Stage::AttentionWeights, 2, 1);
        fixture.click(middleOf(fixture, Stage::Key));
        QCOMPARE(asked.count(), 1);
        QVERIFY(fixture.selection().stage == Stage::Key && fixture.selection().query);
        // Clicking a title selects the stage without a cell. Clicking a parameter matrix selects
        // the stage that it produces.
        (void)fixture.view.figure();
        const WholeGeometry map = fixture.view.places().map;
        fixture.click(map.node({Stage::Scores, {}})->title.center());
        QCOMPARE(asked.count(), 2);
        QVERIFY(fixture.selection().stage == Stage::Scores);
        fixture.click(middleOf(fixture, Stage::Context));
        (void)fixture.view.figure();
        fixture.click(fixture.view.places().map.learnedOf({Stage::Output, {}})->matrix.center());
        QCOMPARE(asked.count(), 4);
        QVERIFY(fixture.selection().stage == Stage::Output);
        fixture.click({2, 2}); // empty space
        QCOMPARE(asked.count(), 4);
        fixture.key(Qt::Key_Return);
        QCOMPARE(asked.count(), 5);
    }

    /// With gradients, a click shows the arithmetic of the gradient instead of the close-up, which
    /// has none.
    void gradientsStayInWhole() {
        Fixture<WholeView> fixture(test::sessionPath("decoder_rotary"), {}, {1200, 700});
        fixture.select(Stage::Value, 1, 1);
        fixture.view.setShowGradients(true);
        QVERIFY(test::until([&] {
            const auto *figure = static_cast<const WholeFigure *>(fixture.view.figure());
            return figure->goesBack();
        }));
        QSignalSpy asked(&fixture.view, &WholeView::closeUpRequested);
        fixture.click(middleOf(fixture, Stage::Key));
        QVERIFY(fixture.selection().stage == Stage::Key);
        QCOMPARE(asked.count(), 0);
    }

    void whatIsUnderTheMouseIsNamed() {
        Fixture<WholeView> fixture("cat", {}, {1200, 700});
        fixture.select(Stage::AttentionWeights);
        QVERIFY(fixture.hover(middleOf(fixture, Stage::Key)).contains(QStringLiteral("key")));
        const WholeGeometry map = fixture.view.places().map;
        QVERIFY(fixture.hover(map.node({Stage::Key, {}})->title.center())
                    .contains(QStringLiteral("6 × 8")));
        QVERIFY(fixture.hover(map.learnedOf({Stage::Key, {}})->matrix.center())
                    .startsWith(QStringLiteral("WK, row")));
    }

    /// Large text can leave no space for a view.
    void aViewWithoutHeightIsSound() {
        Fixture<WholeView> fixture("cat");
        for (const QSize &size : {QSize(300, 0), QSize(0, 200), QSize(1, 1), QSize(900, 600)}) {
            fixture.view.resize(size);
            (void)fixture.view.figure();
            fixture.view.zoomBy(2, {});
            for (const QScrollBar *bar : fixture.view.findChildren<QScrollBar *>()) {
                const QRect place = bar->geometry();
                QVERIFY2(std::abs(place.top()) < 1000 && std::abs(place.left()) < 1000,
                         test::said("%1, %2", place.left(), place.top()));
            }
        }
    }

    /// A view that is too small scrolls. A view that is even smaller also shrinks the figure.
    void aSmallViewScrolls() {
        Fixture<WholeView> fixture("cat", {}, {300, 260});
        fixture.select(Stage::AttentionWeights);
        auto *across = fixture.view.findChild<QScrollBar *>(QStringLiteral("scrollAcross"));
        QVERIFY(across && !across->isHidden() && !across->accessibleName().isEmpty());
        // A selection is scrolled into view.
        for (const Stage stage : {Stage::Embeddings, Stage::Output, Stage::Query}) {
            fixture.select(stage, 3, 2);
            (void)fixture.view.figure();
            const QRectF sight(QPointF(), QSizeF(fixture.view.size()) / fixture.view.shrink());
            const QRectF cell = fixture.view.places().map.node({stage, {}})->cells().cellRect(3, 2);
            QVERIFY2(sight.contains(cell), core::infoOf(stage).name.data());
        }
        fixture.view.resize(120, 80);
        QVERIFY(fixture.view.shrink() < 1);
        fixture.view.resize(1400, 900);
        (void)fixture.view.figure();
        QCOMPARE(fixture.view.shrink(), 1.0);
        QCOMPARE(fixture.view.pan(), QPointF());
        QVERIFY(across->isHidden());
    }
};

HEADLIGHT_WIDGET_TEST(WholeViewTest)
#include "tst_whole_view.moc"
