// A head of 8,192 × 8,192 in the Heads view at 1600 × 1000: its pyramid, frames while zooming and
// panning, hovering, and memory. A screen with 60 frames a second allows 16.7 ms.
#include "core/analysis/matrix_pyramid.h"
#include "tests/bench/report.h"
#include "tests/support/long_input.h"
#include "tests/ui/views/view_fixture.h"

#include <QElapsedTimer>

#include <fstream>

using namespace headlight;
using namespace headlight::ui;
using core::Stage;
using headlight::test::Fixture;

namespace {

/// Memory in MB, from Linux: "VmRSS" is the present value, "VmHWM" the peak.
long memory(const std::string &which) {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with(which + ":"))
            return std::stol(line.substr(which.size() + 1)) / 1024;
    return 0;
}

OpenedSource oneHead(core::Index tokens, core::Index heads = 1) {
    return test::sourceOf(test::largeModel(16 * heads, heads),
                          {test::wordBatch(tokens), {core::CausalMask{}}});
}

template <typename Work>
double timed(Work work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return static_cast<double>(timer.nsecsElapsed()) / 1e6;
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
            std::size_t bytes = 0;
            for (int turn = 0; turn < 5; ++turn)
                times.push_back(timed([&] {
                    bytes = core::MatrixPyramid::of(std::as_const(matrix).view(), each, false)
                                .value()
                                .bytes();
                }));
            bench::report(each ? "pyramid of 8192 x 8192, causal" : "pyramid of 8192 x 8192",
                          times);
            std::printf("  memory of the pyramid: %.3f of the matrix\n",
                        static_cast<double>(bytes) / (kSide * kSide * sizeof(float)));
        }
    }

    void frames_data() {
        QTest::addColumn<int>("tokens");
        for (const int tokens : {512, 2048, 8192})
            QTest::newRow(qPrintable(QString::number(tokens))) << tokens;
    }
    void frames() {
        QFETCH(int, tokens);
        QSettings().clear();
        Fixture<HeadsView> fixture(oneHead(tokens), {}, {1600, 1000});
        HeadsView &view = fixture.view;
        fixture.select(Stage::AttentionWeights, tokens / 2, tokens / 3);
        const long before = memory("VmRSS");
        HEADLIGHT_UNTIL((view.repaint(), view.isSettled()));
        view.repaint();
        std::printf("%d tokens: %ld MB, %ld MB more with the picture; the matrix has %ld MB\n",
                    tokens, before, memory("VmRSS") - before,
                    static_cast<long>(tokens) * tokens * 4 / 1024 / 1024);
        const QPointF middle = view.geometry().enlarged.cells.center();
        const auto frame = [&](auto act) {
            return timed([&] {
                act();
                view.repaint();
            });
        };
        std::vector<double> zooming, panning, hovering, wheel;
        for (const int notch : {1, -1})
            for (int step = 0; step < 40; ++step) {
                wheel.push_back(timed([&] { fixture.wheel(middle, notch, Qt::ControlModifier); }));
                zooming.push_back(timed([&] { view.repaint(); }));
            }
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
        const std::string name = std::to_string(tokens) + " tokens, ";
        bench::report((name + "zoom frame").c_str(), zooming);
        bench::report((name + "wheel step").c_str(), wheel);
        bench::report((name + "pan frame").c_str(), panning);
        bench::report((name + "hover").c_str(), hovering);
        std::printf("  at most %ld MB\n", memory("VmHWM"));
    }
};

QTEST_MAIN(LargeHeatmapBenchmark)
#include "bench_large_heatmap.moc"
