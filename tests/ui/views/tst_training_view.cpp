// The Training tab: its bar, slider and curves, with mouse and keyboard.
#include "tests/support/training.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/document/training_controller.h"
#include "ui/views/training_view.h"

using namespace headlight::test;

namespace {

struct TrainingFixture : Fixture<TrainingView> {
    explicit TrainingFixture(const core::Recipe &recipe = smallRecipe(), QSize size = {900, 600})
        : Fixture(trainingSession(recipe), {}, size) {}

    TrainingController &controller() { return view.controller(); }
    core::Index at() const { return document.state().training->step; }
    void untilIdle() {
        HEADLIGHT_UNTIL(!controller().isRunning() && !controller().isBusy());
        settle();
    }
    void train() {
        click("trainingStart");
        untilIdle();
    }
};

} // namespace

class TrainingViewTest : public QObject {
    Q_OBJECT
  private slots:
    void a_click_trains_and_another_one_pauses() {
        TrainingFixture fixture(smallRecipe(100'000));
        auto *start = fixture.find<QToolButton>("trainingStart");
        const QString train = start->text();
        fixture.click("trainingStart");
        QVERIFY(fixture.controller().isRunning());
        QVERIFY(start->text() != train);
        QVERIFY(!fixture.find<QToolButton>("trainingOneBatch")->isEnabled());
        HEADLIGHT_UNTIL(fixture.at() > 0);
        QVERIFY(fixture.find<QLabel>("trainingProgress")->text().contains("100000"));
        const QString pause = start->text();
        fixture.click("trainingStart");
        QVERIFY(start->text() != pause &&
                start->text() != train); // shows immediately that it is pausing
        fixture.untilIdle();
        QCOMPARE(start->text(), train);
        QVERIFY(fixture.at() < 100'000);
    }

    void one_batch_is_one_step() {
        TrainingFixture fixture;
        for (core::Index step = 1; step <= 3; ++step) {
            fixture.click("trainingOneBatch");
            fixture.untilIdle();
            QCOMPARE(fixture.at(), step);
        }
        const auto &plots = fixture.view.training()->content().plots;
        QCOMPARE(plots[0].curves[0].points.size(), std::size_t(3));
        QCOMPARE(plots.size(), std::size_t(3)); // the third is the plot of the heads
        fixture.click("trainingAgain");
        fixture.untilIdle();
        QCOMPARE(fixture.at(), core::Index(0));
    }

    void nothing_is_left_to_do_at_the_end() {
        TrainingFixture fixture;
        fixture.train();
        QCOMPARE(fixture.at(), smallRecipe().steps);
        QVERIFY(!fixture.find<QToolButton>("trainingStart")->isEnabled());
        QVERIFY(!fixture.find<QToolButton>("trainingOneBatch")->isEnabled());
        QVERIFY(fixture.find<QToolButton>("trainingAgain")->isEnabled());
        QVERIFY(fixture.find<QLabel>("trainingMemory")->text().contains("64"));
    }

    void the_slider_goes_through_the_moments() {
        TrainingFixture fixture;
        fixture.train();
        auto *slider = fixture.find<QSlider>("trainingMoments");
        QCOMPARE(slider->maximum(), int(smallRecipe().steps));
        QCOMPARE(slider->value(), slider->maximum());
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        fixture.untilIdle();
        QCOMPARE(fixture.at(), core::Index(0));
        QTest::keyClick(slider, Qt::Key_Right);
        fixture.untilIdle();
        QCOMPARE(fixture.at(), core::Index(1));
        QVERIFY(sameNumbers(fixture.document.state().model.parameters,
                            trained(smallRecipe(), 1).model.parameters));
        // The curves are complete, and a line marks the checkpoint.
        const TrainingGeometry places = fixture.view.geometry();
        QCOMPARE(fixture.view.training()->content().plots[0].curves[0].points.size(),
                 std::size_t(smallRecipe().steps));
        QCOMPARE(places.plots[0].now, places.plots[0].at({1, 1}).x());
        for (QAction *action : fixture.view.trainingActions())
            if (action->shortcut() == QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown))
                action->trigger();
        fixture.untilIdle();
        QCOMPARE(fixture.at(), core::Index(2));
        QCOMPARE(slider->value(), 2);
        QCOMPARE(fixture.document.undoStack().count(), 1);
    }

    void a_click_in_a_plot_shows_that_moment() {
        TrainingFixture fixture;
        fixture.train();
        const QPointF point = fixture.view.geometry().plots[1].at({7, 0.5});
        fixture.click(point);
        fixture.untilIdle();
        QVERIFY(std::abs(double(fixture.at()) - 7) <= 1);
    }

    void a_click_on_a_heads_curve_selects_it() {
        TrainingFixture fixture;
        fixture.train();
        const auto &heads = fixture.view.training()->content().plots[2];
        const TrainingGeometry places = fixture.view.geometry();
        for (const CurvePlotGeometry::Label &label : places.plots[2].labels) {
            const TrainingContent::Curve curve = heads.curves[label.curve];
            if (curve.isSelected)
                continue;
            fixture.click(label.rect.center());
            QCOMPARE(fixture.selection().head, curve.head);
            QCOMPARE(fixture.selection().layer, curve.attention.layer);
            QCOMPARE(fixture.at(), smallRecipe().steps);
            return;
        }
        QFAIL("every head is selected");
    }

    void without_a_task_the_button_asks_for_one() {
        TrainingFixture fixture;
        fixture.document.open(opened("cat"));
        QVERIFY(settled(fixture.document));
        (void)fixture.view.figure();
        QVERIFY(fixture.view.training()->content().plots.empty());
        QSignalSpy asked(&fixture.view, &TrainingView::newRunRequested);
        fixture.click("trainingStart");
        QCOMPARE(asked.count(), 1);
        fixture.click("trainingNewRun");
        QCOMPARE(asked.count(), 2);
        QVERIFY(!fixture.find<QToolButton>("trainingAgain")->isEnabled());
        QVERIFY(!fixture.find<QLabel>("trainingProgress")->text().isEmpty());
    }

    void a_narrow_bar_keeps_what_matters() {
        TrainingFixture fixture(smallRecipe(), {260, 500});
        QVERIFY(fixture.find<QToolButton>("trainingStart")->isVisible());
        QVERIFY(!fixture.find<QToolButton>("trainingNewRun")->isVisible());
        const QRect bar = fixture.find<QWidget>("trainingBar")->geometry();
        QVERIFY(fixture.view.rect().contains(bar));
        fixture.view.resize(900, 500);
        QCoreApplication::processEvents();
        QVERIFY(fixture.find<QToolButton>("trainingNewRun")->isVisible());
    }
};

HEADLIGHT_WIDGET_TEST(TrainingViewTest)
#include "tst_training_view.moc"
