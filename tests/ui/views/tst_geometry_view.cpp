// The planes driven by mouse, wheel and keyboard: selecting, zooming, dragging vectors, gravity.
#include "tests/ui/views/view_fixture.h"
#include "ui/views/geometry_bar.h"

namespace {

struct PlaneFixture : test::Fixture<GeometryView> {
    explicit PlaneFixture(const QString &source = "bank") : Fixture(source, {}, {1300, 560}) {
        select({.query = 1, .key = 0});
    }
    /// Returns the point where the mouse grabs the vector.
    QPoint point(std::size_t plane, Stage stage, core::Index token) const {
        const SpacePlane &shown = view.planes()->plane(plane);
        for (std::size_t i = shown.places.size(); i-- > 0;)
            if (shown.places[i].stage == stage && shown.places[i].token == token)
                return view.geometry()
                    .planes[plane]
                    .onScreen(shown.content.vectors[i].tip())
                    .toPoint();
        qFatal("no such vector");
    }
    /// Drags in three moves, and waits for the trace after each.
    void drag(QPoint from, QPoint by) {
        QTest::mousePress(&view, Qt::LeftButton, {}, from);
        for (int i = 1; i <= 3; ++i) {
            move(from + by * i / 3, Qt::LeftButton);
            settle();
        }
        QTest::mouseRelease(&view, Qt::LeftButton, {}, from + by);
        settle();
    }
    std::vector<float> vector(Stage stage, core::Index token) const {
        const auto found = core::vectorAt(*document.trace(), {}, stage, token);
        return {found.begin(), found.end()};
    }
    int steps() { return document.undoStack().count(); }
};

bool near(float a, double b, double by = 1e-4) {
    return std::abs(static_cast<double>(a) - b) < by;
}

} // namespace

class GeometryViewTest : public test::CleanTest {
    Q_OBJECT

  private slots:
    void aClickSelects() {
        PlaneFixture fixture;
        const auto click = [&](std::size_t plane, Stage stage, core::Index token) {
            fixture.click(fixture.point(plane, stage, token));
            return fixture.selection();
        };
        core::Selection selection = click(0, Stage::Positioned, 0);
        QVERIFY(test::isAt(selection, {.stage = Stage::Positioned, .query = 0}));
        selection = click(1, Stage::Key, 1);
        QVERIFY(test::isAt(selection, {.stage = Stage::Key, .key = 1}));
        selection = click(1, Stage::Query, 1);
        QCOMPARE(selection.query, test::some(1));
        selection = click(2, Stage::Value, 0);
        QVERIFY(test::isAt(selection, {.stage = Stage::Value, .key = 0}));
        QCOMPARE(fixture.steps(), 0);
    }

    void aWordIsDragged() {
        PlaneFixture fixture;
        const QPoint from = fixture.point(0, Stage::Positioned, 1);
        const double unit = fixture.view.geometry().planes[0].sight.unit;
        fixture.drag(from, {60, -30});
        const std::vector<float> bank = fixture.vector(Stage::Embeddings, 1);
        QVERIFY(near(bank[0], 1 + 60 / unit) && near(bank[1], 1 + 30 / unit));
        QCOMPARE(fixture.steps(), 1);
        QVERIFY(fixture.document.undoStack().undoText().startsWith("embedding of “bank”: (1.00, "));
        fixture.document.undoStack().undo();
        fixture.settle();
        QCOMPARE(fixture.vector(Stage::Embeddings, 1), (std::vector<float>{1, 1}));
        fixture.document.undoStack().redo();
        fixture.settle();
        QCOMPARE(fixture.vector(Stage::Embeddings, 1), bank);
    }

    void aQueryOrAKeyIsDragged_data() {
        test::addColumns<Stage, std::size_t, QString>({"stage", "plane", "words"});
        QTest::newRow("query") << Stage::Query << std::size_t(1) << "smallest change of WQ";
        QTest::newRow("key") << Stage::Key << std::size_t(1) << "smallest change of WK";
        QTest::newRow("value") << Stage::Value << std::size_t(2) << "smallest change of WV";
    }
    void aQueryOrAKeyIsDragged() {
        QFETCH(Stage, stage);
        QFETCH(std::size_t, plane);
        QFETCH(QString, words);
        PlaneFixture fixture;
        const std::vector<float> before = fixture.vector(stage, 1);
        const double unit = fixture.view.geometry().planes[plane].sight.unit;
        fixture.drag(fixture.point(plane, stage, 1), {-40, -50});
        const std::vector<float> after = fixture.vector(stage, 1);
        QVERIFY(near(after[0], static_cast<double>(before[0]) - 40 / unit));
        QVERIFY(near(after[1], static_cast<double>(before[1]) + 50 / unit));
        QCOMPARE(fixture.vector(Stage::Embeddings, 1), (std::vector<float>{1, 1}));
        QCOMPARE(fixture.steps(), 1);
        QVERIFY(fixture.document.undoStack().undoText().contains(words));
    }

    /// A drag moves the vector along the two visible axes only. Its other components do not change.
    void aWideWordIsDraggedInItsPlane() {
        PlaneFixture fixture("sentence");
        const core::Projection projection = fixture.view.planes()->plane(0).projection;
        const std::vector<float> before = fixture.vector(Stage::Embeddings, 1);
        const double unit = fixture.view.geometry().planes[0].sight.unit;
        fixture.drag(fixture.point(0, Stage::Positioned, 1), {30, 45});
        const std::vector<float> after = fixture.vector(Stage::Embeddings, 1);
        for (std::size_t i = 0; i < before.size(); ++i)
            QVERIFY(near(after[i], static_cast<double>(before[i]) +
                                       projection.axes[0][i] * 30 / unit -
                                       projection.axes[1][i] * 45 / unit));
    }

    void thePlaneStaysWhileDragging() {
        PlaneFixture fixture("sentence");
        const QPoint from = fixture.point(0, Stage::Positioned, 1);
        const PlaneViewport sight = fixture.view.geometry().planes[0].sight;
        const auto axis = fixture.view.planes()->plane(0).projection.axes[0];
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, from);
        fixture.move(from + QPoint(80, 80), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.view.isDragging());
        QVERIFY(fixture.view.geometry().planes[0].sight == sight);
        QCOMPARE(fixture.view.planes()->plane(0).projection.axes[0], axis);
        const QPoint now = fixture.point(0, Stage::Positioned, 1);
        QVERIFY((now - from - QPoint(80, 80)).manhattanLength() <= 2);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, from + QPoint(80, 80));
        (void)fixture.view.figure();
        QVERIFY(fixture.view.planes()->plane(0).projection.axes[0] != axis);
    }

    void escapeTakesTheDragBack() {
        PlaneFixture fixture;
        const QPoint from = fixture.point(1, Stage::Query, 1);
        QTest::mousePress(&fixture.view, Qt::LeftButton, {}, from);
        fixture.move(from + QPoint(50, 20), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.vector(Stage::Query, 1)[0] > 1.6f);
        fixture.key(Qt::Key_Escape);
        QTest::mouseRelease(&fixture.view, Qt::LeftButton, {}, from + QPoint(50, 20));
        fixture.settle();
        QCOMPARE(fixture.vector(Stage::Query, 1), (std::vector<float>{1.5f, 1.5f}));
        QCOMPARE(fixture.steps(), 0);
        QVERIFY(!fixture.document.undoStack().canRedo());
        QVERIFY(!fixture.document.isEdited());
    }

    void hoveringSaysTheWholeVector() {
        PlaneFixture fixture;
        QCOMPARE(fixture.hover(fixture.point(1, Stage::Query, 1)),
                 QString("query of bank: (1.500, 1.500), length 2.121"));
        QVERIFY(fixture.view.cursor().shape() == Qt::OpenHandCursor);
    }

    void theWheelZoomsAtTheMouse() {
        PlaneFixture fixture;
        const PlaneGeometry before = fixture.view.geometry().planes[1];
        const QPointF at = before.plot.center() + QPointF(30, -20);
        fixture.wheel(at, 6, Qt::ControlModifier);
        const PlaneGeometry after = fixture.view.geometry().planes[1];
        QVERIFY(after.sight.unit > 2 * before.sight.unit);
        QVERIFY(after.tickStep < before.tickStep);
        QVERIFY(std::abs(after.inPlane(at).x - before.inPlane(at).x) < 1e-9);
        QVERIFY(std::abs(after.inPlane(at).y - before.inPlane(at).y) < 1e-9);
        QVERIFY(fixture.view.zoom() > 2);
        // Each plane has its own zoom.
        const double other = fixture.view.geometry().planes[0].sight.unit;
        fixture.wheel(at, -1, Qt::ControlModifier);
        QCOMPARE(fixture.view.geometry().planes[0].sight.unit, other);
        fixture.view.fit();
        QVERIFY(fixture.view.geometry().planes[1].sight == before.sight);
        QCOMPARE(fixture.view.zoom(), 1.0);
    }

    void theMiddleButtonMoves() {
        PlaneFixture fixture;
        const PlaneGeometry before = fixture.view.geometry().planes[0];
        const QPoint from = before.plot.center().toPoint();
        QTest::mousePress(&fixture.view, Qt::MiddleButton, {}, from);
        fixture.move(from + QPoint(50, 30), Qt::MiddleButton);
        QTest::mouseRelease(&fixture.view, Qt::MiddleButton, {}, from + QPoint(50, 30));
        const PlaneGeometry after = fixture.view.geometry().planes[0];
        const QPointF moved = after.onScreen({1, 1}) - before.onScreen({1, 1});
        QVERIFY(std::abs(moved.x() - 50) < 0.01 && std::abs(moved.y() - 30) < 0.01);
        QTest::mouseDClick(&fixture.view, Qt::LeftButton, {},
                           before.plot.topLeft().toPoint() + QPoint(5, 5));
        QVERIFY(fixture.view.geometry().planes[0].sight == before.sight);
    }

    void arrowsSelectAndCtrlArrowsMove() {
        PlaneFixture fixture;
        fixture.view.setFocus();
        fixture.key(Qt::Key_Up);
        QCOMPARE(fixture.selection().query, test::some(0));
        fixture.key(Qt::Key_Down);
        fixture.key(Qt::Key_Right);
        QCOMPARE(fixture.selection().key, test::some(1));
        test::select(fixture.document, {.stage = Stage::Query});
        (void)fixture.view.figure();
        const PlaneGeometry plane = fixture.view.geometry().planes[1];
        const double step = plane.plot.width() / plane.sight.unit / 100;
        fixture.key(Qt::Key_Right, Qt::ControlModifier);
        fixture.settle();
        QVERIFY(near(fixture.vector(Stage::Query, 1)[0], 1.5 + step));
        QCOMPARE(fixture.vector(Stage::Query, 1)[1], 1.5f);
        QCOMPARE(fixture.steps(), 1);
    }

    void gravityIsPlayedAndScrubbed() {
        PlaneFixture fixture;
        auto *slider = fixture.view.findChild<QSlider *>("gravity");
        auto *play = fixture.view.findChild<QToolButton *>("playGravity");
        QVERIFY(slider && play);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(fixture.view.options().plane.gravity, 1.0);
        QTest::keyClick(slider, Qt::Key_Home);
        QCOMPARE(fixture.view.options().plane.gravity, 0.0);
        QTest::mouseClick(play, Qt::LeftButton);
        QVERIFY(fixture.view.isPlaying());
        HEADLIGHT_UNTIL(fixture.view.options().plane.gravity > 0.1);
        QTest::mouseClick(play, Qt::LeftButton);
        QVERIFY(!fixture.view.isPlaying());
        const double held = fixture.view.options().plane.gravity;
        QVERIFY(held < 1);
        QTest::mouseClick(play, Qt::LeftButton);
        HEADLIGHT_UNTIL_EQUAL(fixture.view.options().plane.gravity, 1.0);
        HEADLIGHT_UNTIL(!fixture.view.isPlaying());
        fixture.view.play(); // restarts from the beginning
        fixture.view.hide();
        QVERIFY(!fixture.view.isPlaying());
    }

    void whatIsChosenIsRemembered() {
        {
            PlaneFixture fixture("sentence");
            for (QAction *action : fixture.view.planeActions())
                if (action->text() == "Queries and keys" ||
                    action->text() == "Dot products with the query")
                    action->trigger();
            (void)fixture.view.figure();
            QCOMPARE(fixture.view.planes()->count(), std::size_t(1));
            QVERIFY(fixture.view.planes()->plane(0).projection.kind ==
                    core::Projection::Kind::DotProduct);
            fixture.view.setGravity(0.5);
        }
        const PlaneFixture lesson("sentence"); // a lesson's step sets these options
        QVERIFY(lesson.view.options().plane == PlaneOptions());
        const PlaneFixture again(test::sessionPath("encoder_prenorm"));
        QVERIFY(again.view.options().plane.spaces == ShownSpaces::QueryKey);
        QVERIFY(again.view.options().plane.axes == PlaneAxes::DotProduct);
        QCOMPARE(again.view.options().plane.gravity, 0.0);
    }

    void aScreenReaderHearsThePlanesAndTheirControls() {
        PlaneFixture fixture;
        QAccessibleInterface *view = QAccessible::queryAccessibleInterface(&fixture.view);
        QVERIFY(view && !view->tableInterface());
        const QString said = view->text(QAccessible::Description);
        QVERIFY(test::says(said, {"bank at (1.00, 1.00)", "money pulls bank"}));
        for (const QWidget *widget : fixture.view.findChildren<QWidget *>())
            if (widget->focusPolicy() & Qt::TabFocus)
                QVERIFY2(!widget->accessibleName().isEmpty() ||
                             qobject_cast<const QToolButton *>(widget),
                         widget->metaObject()->className());
    }
};

HEADLIGHT_WIDGET_TEST(GeometryViewTest)
#include "tst_geometry_view.moc"
