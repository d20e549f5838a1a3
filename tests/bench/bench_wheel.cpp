// A step of the wheel in the views of long texts, at 1280 × 620. Measures the time until the view
// is painted again, while scrolling and while zooming, at several sizes of the picture. Heads and
// Model may paint coarsely until the wheel rests, so the paint after that has a separate row.
#include "tests/bench/report.h"
#include "tests/support/long_input.h"
#include "tests/ui/views/view_fixture.h"
#include "ui/views/lines_view.h"
#include "ui/views/model_view.h"
#include "ui/views/text_view.h"

using namespace headlight;

namespace {

constexpr double kPromised = 8; // ms

/// Returns 12 heads in each layer. Their scores are sharpened, so that many weights have a line.
OpenedSource heads(core::Index tokens, core::Index layers) {
    core::Model model = test::largeModel(192, 12);
    model.config.temperature = 0.4F;
    model.parameters.main.layers.resize(static_cast<std::size_t>(layers),
                                        model.parameters.main.layers.front());
    return test::sourceOf(std::move(model), {test::wordBatch(tokens), {core::CausalMask{}}});
}

/// Returns the point under the mouse.
QPointF aimIn(const FigureView &view) {
    return QRectF(view.rect()).center();
}
/// The wheel scrolls only over the cells of the large matrix, which is not in the middle.
QPointF aimIn(const HeadsView &view) {
    return view.onScreen(view.geometry().enlarged.cells).center();
}

/// Returns the part of a large matrix that the view shows.
Cell originOf(const FigureView &) {
    return {};
}
Cell originOf(const HeadsView &view) {
    return view.geometry().enlarged.origin;
}

/// Sends one step of the wheel and paints. Adds its time if the step has changed the picture.
template <typename View>
void turn(View &view, int notches, Qt::KeyboardModifiers modifiers, std::vector<double> &times) {
    const QPointF aim = aimIn(view), pan = view.pan();
    const double zoom = view.zoom();
    const Cell origin = originOf(view);
    QWheelEvent event(aim, view.mapToGlobal(aim), {}, QPoint(0, 120 * notches), Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    const double time = bench::timed([&] {
        QCoreApplication::sendEvent(&view, &event);
        view.repaint();
    });
    if (view.zoom() != zoom || view.pan() != pan || originOf(view) != origin)
        times.push_back(time);
}

/// Paints after the wheel has rested, and adds the time.
void rest(FigureView &view, std::vector<double> &times) {
    QVERIFY(test::expire(*test::find<QTimer>(view, "wheelRest")));
    times.push_back(bench::timed([&] { view.repaint(); }));
}

template <typename View>
void measure(const char *name, core::Index tokens, core::Index layers) {
    test::Fixture<View> fixture(heads(tokens, layers), {}, {1280, 620});
    View &view = fixture.view;
    HEADLIGHT_UNTIL(!fixture.document.isPreparing());
    fixture.select(Stage::AttentionWeights, tokens / 2, tokens / 3);
    HEADLIGHT_UNTIL((view.repaint(), view.isComplete()));
    if constexpr (std::is_same_v<View, HeadsView>)
        HEADLIGHT_UNTIL((view.repaint(), view.isSettled()));
    view.fit();
    view.repaint();
    std::vector<double> scrolling, zooming, resting;
    for (const int closer : {0, 4, 8}) {
        for (int notch = 0; notch < closer; ++notch)
            turn(view, 1, Qt::ControlModifier, zooming);
        if (closer > 0)
            rest(view, resting);
        for (int step = 0; step < 60; ++step)
            turn(view, step < 30 ? -1 : 1, {}, scrolling);
        rest(view, resting);
        for (int notch = 0; notch < closer; ++notch)
            turn(view, -1, Qt::ControlModifier, zooming);
        if (closer > 0)
            rest(view, resting);
    }
    QVERIFY(!scrolling.empty() && !zooming.empty());
    const std::string where = std::string(name) + ", " + std::to_string(tokens) + " tokens: ";
    bench::report(where + "a wheel step that scrolls", scrolling, {.median = kPromised});
    bench::report(where + "a wheel step that zooms", zooming, {.median = kPromised});
    bench::report(where + "the paint after the wheel rests", resting);
}

} // namespace

class WheelBenchmark : public QObject {
    Q_OBJECT

    static void lengths(std::initializer_list<core::Index> all) {
        QTest::addColumn<core::Index>("tokens");
        for (const core::Index tokens : all)
            QTest::addRow("%d", int(tokens)) << tokens;
    }

  private slots:
    void init() { QSettings().clear(); }

    void lines_data() { lengths({512, 8192}); }
    void lines() {
        QFETCH(core::Index, tokens);
        measure<ui::LinesView>("Lines", tokens, 1);
    }

    void text_data() { lengths({512, 8192}); }
    void text() {
        QFETCH(core::Index, tokens);
        measure<ui::TextView>("Text", tokens, 1);
    }

    void heatmap_data() { lengths({512, 8192}); }
    void heatmap() {
        QFETCH(core::Index, tokens);
        measure<ui::HeadsView>("Heads", tokens, 1);
    }

    /// 144 thumbnails, whose size does not depend on the length.
    void model_data() { lengths({512, 2048}); }
    void model() {
        QFETCH(core::Index, tokens);
        measure<ui::ModelView>("Model", tokens, 12);
    }
};

QTEST_MAIN(WheelBenchmark)
#include "bench_wheel.moc"
