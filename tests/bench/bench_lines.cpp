// The Lines view of one layer's 12 heads at 512 tokens. Measures the time from a new threshold to
// the painted lines, and the time of hovering over a token. A random model has sharpened scores, so
// that thousands of weights reach the threshold.
#include "tests/bench/report.h"
#include "tests/support/large_model.h"
#include "tests/support/opened.h"
#include "ui/views/lines_view.h"

#include <QElapsedTimer>

using namespace headlight;

class LinesBenchmark : public QObject {
    Q_OBJECT

    static ui::OpenedSource sharpHeads() {
        core::Model model = test::largeModel(384, 12);
        model.config.temperature = 0.4F;
        ui::OpenedSource source = test::withModel(test::opened("cat"), std::move(model),
                                                  {test::wordBatch(512), {core::CausalMask{}}});
        source.selection = {};
        return source;
    }

    struct LargeLines {
        ui::Document document;
        ui::LinesView view{document};
        QImage image;
        LargeLines() : image(QSize(1280, 620), QImage::Format_ARGB32_Premultiplied) {
            view.resize(image.size());
            document.open(sharpHeads());
            if (!test::settled(document))
                qFatal("no trace");
            view.setHeads({true, {}});
            view.render(&image);
        }
        template <class Act>
        void measure(const std::string &name, Act act, bench::Limit limit) {
            std::vector<double> times;
            for (int run = 0; run < 42; ++run) {
                QElapsedTimer timer;
                timer.start();
                act(run);
                view.render(&image);
                if (run > 1)
                    times.push_back(static_cast<double>(timer.nsecsElapsed()) / 1e6);
            }
            const auto found = static_cast<long long>(view.lines()->content().found());
            bench::report("Lines, 12 heads, 512 tokens, " + std::to_string(found) +
                              " weights: " + name,
                          times, {.median = limit});
        }
    };

  private slots:
    void init() { QSettings().clear(); }

    void threshold_data() {
        QTest::addColumn<double>("threshold");
        for (const double threshold : {0.01, 0.05})
            QTest::addRow("%g", threshold) << threshold;
    }
    /// Changes the threshold slightly each time, so that the weights are collected and painted
    /// again, at the top and in the middle of the text.
    void threshold() {
        QFETCH(double, threshold);
        for (const double part : {0.0, 0.5}) {
            LargeLines lines;
            lines.view.setPan({0, part * 512 * 20});
            lines.measure(
                std::string("a threshold, ") + (part > 0 ? "middle of the text" : "first tokens"),
                [&](int run) { lines.view.setThreshold(threshold + 0.0001 * (run % 2)); }, 100);
        }
    }

    void hover() {
        LargeLines lines;
        lines.view.setThreshold(0.01);
        lines.view.render(&lines.image);
        lines.measure(
            "hover",
            [&](int run) {
                const ui::LinesGeometry places = lines.view.geometry();
                test::moveMouse(lines.view,
                                places.queries[static_cast<std::size_t>(1 + run % 20)].center());
            },
            8);
    }
};

QTEST_MAIN(LinesBenchmark)
#include "bench_lines.moc"
