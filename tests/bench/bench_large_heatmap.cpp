// A head of 8,192 × 8,192 in the Heads view at 1600 × 1000: its pyramid, frames while zooming and
// panning, hovering, and memory. A screen with 60 frames a second allows 16.7 ms.
#include "core/analysis/matrix_pyramid.h"
#include "tests/bench/report.h"
#include "tests/support/long_input.h"
#include "tests/ui/views/view_fixture.h"

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using headlight::test::Fixture;

namespace {

using bench::timed;

OpenedSource oneHead(core::Index tokens) {
    return test::sourceOf(test::largeModel(16, 1), {test::wordBatch(tokens), {core::CausalMask{}}});
}

} // namespace

class LargeHeatmapBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void pyramid() {
        constexpr core::Index kSide = 8192;
        core::Matrix matrix(kSide, kSide);
        core::Random random(1);
        for (core::Index row = 0; row < kSide; ++row)
            for (float &number : matrix.view().row(row))
                number = static_cast<float>(random.uniform());
        const core::Mask mask(core::MaskLayers{core::CausalMask{}}, 0, kSide, kSide, kSide);
        for (const core::Mask *each : {static_cast<const core::Mask *>(nullptr), &mask}) {
            std::vector<double> times;
            for (int turn = 0; turn < 5; ++turn)
                times.push_back(timed([&] {
                    QVERIFY(core::MatrixPyramid::of(std::as_const(matrix).view(), each,
                                                    core::BlockNumber::Largest, false)
                                .ok());
                }));
            bench::report(each ? "8192 × 8192, causal: pyramid" : "8192 × 8192: pyramid", times,
                          {.median = 1000});
        }
    }

    void frames_data() {
        QTest::addColumn<int>("tokens");
        for (const int tokens : {512, 8192})
            QTest::newRow(qPrintable(QString::number(tokens))) << tokens;
    }
    void frames() {
        QFETCH(int, tokens);
        QSettings().clear();
        Fixture<HeadsView> fixture(oneHead(tokens), {}, {1600, 1000});
        HeadsView &view = fixture.view;
        HEADLIGHT_UNTIL(!fixture.document.isPreparing());
        fixture.select(Stage::AttentionWeights, tokens / 2, tokens / 3);
        QVERIFY(!fixture.document.trace()->matrix(Stage::AttentionWeights, {}, 0, 0).empty());
        const double before = bench::memory("RssAnon"); // with the matrix
        const bench::PrivateMemory memory;
        HEADLIGHT_UNTIL((view.repaint(), view.isSettled()));
        view.repaint();
        const QPointF middle = view.geometry().enlarged.cells.center();
        const auto frame = [&](auto act) {
            return timed([&] {
                act();
                view.repaint();
            });
        };
        std::vector<double> zooming, panning, hovering;
        for (const int notch : {1, -1})
            for (int step = 0; step < 40; ++step)
                zooming.push_back(
                    frame([&] { fixture.wheel(middle, notch, Qt::ControlModifier); }));
        for (int step = 0; step < 8; ++step)
            fixture.wheel(middle, 1, Qt::ControlModifier);
        for (const int levels : {0, 6, 6})
            for (int step = 0; step < levels + 60; ++step) {
                if (step < levels) {
                    fixture.wheel(middle, 1, Qt::ControlModifier);
                    view.repaint();
                    continue;
                }
                const QPoint by(step % 2 == 0 ? 0 : 12, 9);
                panning.push_back(frame([&] {
                    QWheelEvent event(middle, view.mapToGlobal(middle), by, {}, Qt::NoButton, {},
                                      Qt::NoScrollPhase, false);
                    QCoreApplication::sendEvent(&view, &event);
                }));
            }
        view.fit();
        view.repaint();
        for (int step = 0; step < 200; ++step)
            hovering.push_back(timed([&] {
                fixture.move(middle + QPointF(step, 2 * (step % 70)));
                QCoreApplication::processEvents();
            }));
        const std::string side = std::to_string(tokens), name = side + " × " + side + ": ";
        const bench::Limits frames{.median = 16, .percentile99 = 33};
        bench::report(name + "a zoom frame", zooming, frames);
        bench::report(name + "a pan frame", panning, frames);
        bench::report(name + "hover", hovering, {.median = 8});
        const double matrix = static_cast<double>(tokens) * tokens * sizeof(float) / (1 << 20);
        if (tokens == 8192) // a smaller matrix takes less than the window's own pictures
            bench::report(name + "memory of the matrix and its picture at most",
                          (matrix + memory.most() - before) / matrix, "× the matrix", 1.25);
    }
};

QTEST_MAIN(LargeHeatmapBenchmark)
#include "bench_large_heatmap.moc"
