// The engine without the window: a complete forward pass, and the share of it that an edit
// recomputes.
#include "tests/bench/report.h"
#include "tests/support/forward.h"
#include "tests/support/large_model.h"

#include <QtTest>

using namespace headlight;

namespace {

constexpr core::Index kWidth = 512;
constexpr core::Index kHeads = 8;
constexpr core::Index kFewTokens = 64;

core::Parameter changed(const core::Parameter &parameter, core::Index columns) {
    core::Matrix matrix = *parameter->toMatrix();
    for (core::Index column = 0; column < columns; ++column)
        matrix(3, column) += 0.001f;
    return core::makeParameter(std::move(matrix));
}

} // namespace

class ForwardBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void maskToggle() {
        const core::Model model = test::largeModel(kWidth, kHeads);
        const core::BatchPointer batch = test::wordBatch(kFewTokens);
        core::TracePointer trace = *test::forward(model, {batch, {}});
        std::vector<double> times;
        for (int turn = 0; turn < 100; ++turn)
            times.push_back(bench::timed([&] {
                const core::MaskLayers masks =
                    turn % 2 == 0 ? core::MaskLayers{core::CausalMask{}} : core::MaskLayers{};
                trace = *test::forward(model, {batch, masks}, trace);
            }));
        bench::report("64 tokens, 8 heads: the mask changes", times);
    }

    /// Compares editing one cell of W_Q (one head changes), editing a row of W_Q (all heads
    /// change), and a complete pass. The three alternate, so that other load on the machine
    /// affects all of them.
    void oneHeadOfEight() {
        core::Model model = test::largeModel(kWidth, kHeads);
        const core::Input input{test::wordBatch(kFewTokens), {}};
        core::Parameter &query = model.parameters.main.layers[0].selfAttention.query;
        core::TracePointer trace = *test::forward(model, input);
        std::vector<double> one, eight, scratch;
        const auto timed = [&](std::vector<double> &times, const core::TracePointer &previous) {
            times.push_back(bench::timed([&] { trace = *test::forward(model, input, previous); }));
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
        bench::report("64 tokens, 8 heads: one head changes", one);
        bench::report("64 tokens, 8 heads: all heads change", eight);
        bench::report("64 tokens, 8 heads: a pass from scratch", scratch);
    }
};

QTEST_GUILESS_MAIN(ForwardBenchmark)
#include "bench_forward.moc"
