// A text of 8,192 tokens through 4 layers of 8 heads and width 512: the duration of each user
// action, and the peak memory of the process after it.
#include "core/formats/capture/trace_file.h"
#include "core/transformer/run/backward.h"
#include "tests/support/forward.h"
#include "tests/support/large_model.h"

#include <QtTest>

#include <chrono>
#include <fstream>

using namespace headlight;
using core::Stage;

namespace {

constexpr core::Index kTokens = 8192;
constexpr core::Index kWidth = 512;

/// Peak memory in MB, from Linux.
long maxMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:"))
            return std::stol(line.substr(6)) / 1024;
    return 0;
}

template <typename Work>
void measure(const char *name, Work work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("%-44s %6.2f s, at most %ld MB by now\n", name, time.count(), maxMemory());
    std::fflush(stdout);
}

core::Model longModel() {
    core::Model model = test::largeModel(kWidth, 8);
    core::Config &config = model.config;
    config.layerCount = 4;
    config.positions = core::Positions::Rotary;
    config.norm = {core::NormKind::Layer, core::NormPosition::Before, 1e-5f, true, false};
    config.residual = true;
    config.feedForward = {4 * kWidth, core::Activation::Gelu, false};
    core::FeedForwardParameters &feedForward = model.parameters.main.layers[0].feedForward;
    feedForward.hidden = test::randomParameter(kWidth, 4 * kWidth, 6);
    feedForward.output = test::randomParameter(4 * kWidth, kWidth, 7);
    return model;
}

} // namespace

class LongTextBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void everythingInTurn() {
        const core::Model model = longModel();
        const core::Input input{test::wordBatch(kTokens), {core::CausalMask{}}};
        core::TracePointer trace;
        measure("the pass", [&] { trace = test::forward(model, input).value(); });
        QVERIFY(trace->isByHead(Stage::AttentionWeights));
        measure("a layer, and the weights of one head",
                [&] { trace = trace->prepared(Stage::AttentionWeights, {2}, 0, 3).value(); });
        measure("the weights of the next head",
                [&] { QVERIFY(!trace->matrix(Stage::AttentionWeights, {2}, 0, 4).empty()); });
        const core::StepId scores = *trace->plan().find({Stage::MaskedScores, {2}});
        measure("16 rows of another head's masked scores", [&] {
            QVERIFY(!trace->rows(scores, 0, 6, {kTokens - 16, 16}).empty());
        });
        std::size_t bytes = 0;
        measure("the weights of a layer, written", [&] {
            QVERIFY(core::writeTrace(*trace, "layers.1.*.weights",
                                     [&](std::string_view piece) -> core::Outcome {
                                         bytes += piece.size();
                                         return core::Done{};
                                     }));
        });
        QVERIFY(bytes > std::size_t(kTokens * kTokens * 8 * 4));
        const core::Shape shape{1, kTokens, kWidth};
        const core::Tensor seed(shape, std::vector<float>(std::size_t(shape.count()), 1e-3f));
        measure("the gradients of all parameters", [&] {
            QVERIFY(core::backward(*trace, {{"layers.3.output", seed}}, false).ok());
        });
    }
};

QTEST_GUILESS_MAIN(LongTextBenchmark)
#include "bench_long_text.moc"
