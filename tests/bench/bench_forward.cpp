// The engine without the window: a complete forward pass, and the share of it that an edit
// recomputes.
#include "tests/support/forward.h"
#include "tests/support/large_model.h"

#include <QtTest>

#include <algorithm>
#include <chrono>

using namespace headlight;

namespace {

constexpr core::Index kWidth = 512;
constexpr core::Index kHeads = 8;
constexpr core::Index kTokens = 64;

core::Parameter changed(const core::Parameter &parameter, core::Index columns) {
    core::Matrix matrix = *parameter->toMatrix();
    for (core::Index column = 0; column < columns; ++column)
        matrix(3, column) += 0.001f;
    return core::makeParameter(std::move(matrix));
}

double median(std::vector<double> times) {
    std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
    return times[times.size() / 2];
}

} // namespace

class ForwardBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void wholePass() {
        const core::Model model = test::largeModel(kWidth, kHeads);
        const core::Input input{test::wordBatch(kTokens), {}};
        QBENCHMARK {
            QVERIFY(test::forward(model, input).ok());
        }
    }

    void maskToggle() {
        const core::Model model = test::largeModel(kWidth, kHeads);
        const core::BatchPointer batch = test::wordBatch(kTokens);
        core::TracePointer trace = *test::forward(model, {batch, {}});
        bool causal = false;
        QBENCHMARK {
            causal = !causal;
            const core::MaskLayers masks =
                causal ? core::MaskLayers{core::CausalMask{}} : core::MaskLayers{};
            trace = *test::forward(model, {batch, masks}, trace);
        }
    }

    /// Compares editing one cell of W_Q (one head changes), editing a row of W_Q (all heads
    /// change), and a complete pass. The three alternate, so that other load on the machine
    /// affects all of them.
    void oneHeadOfEight() {
        core::Model model = test::largeModel(kWidth, kHeads);
        const core::Input input{test::wordBatch(kTokens), {}};
        core::Parameter &query = model.parameters.main.layers[0].selfAttention.query;
        core::TracePointer trace = *test::forward(model, input);
        std::vector<double> one, eight, scratch;
        const auto timed = [&](std::vector<double> &times, const core::TracePointer &previous) {
            const auto start = std::chrono::steady_clock::now();
            trace = *test::forward(model, input, previous);
            const std::chrono::duration<double, std::milli> time =
                std::chrono::steady_clock::now() - start;
            times.push_back(time.count());
        };
        for (int turn = 0; turn < 100; ++turn) {
            query = changed(query, 1);
            timed(one, trace);
            QCOMPARE(trace->recomputedHeads(), core::Index(1));
            query = changed(query, kWidth);
            timed(eight, trace);
            QCOMPARE(trace->recomputedHeads(), kHeads);
            timed(scratch, nullptr);
        }
        qInfo("one head %.2f ms, eight heads %.2f ms (%.1f ×), everything %.2f ms (%.1f ×)",
              median(one), median(eight), median(eight) / median(one), median(scratch),
              median(scratch) / median(one));
    }
};

QTEST_GUILESS_MAIN(ForwardBenchmark)
#include "bench_forward.moc"
