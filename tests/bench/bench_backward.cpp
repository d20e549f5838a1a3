// Times of the backward pass compared with the forward pass, for one layer of GPT-2's size and for
// a long text. Also measures how soon the backward pass of a complete model stops on request.
#include "core/transformer/run/backward.h"
#include "report.h"
#include "tests/support/forward.h"
#include "tests/support/large_model.h"

#include <QtTest>

#include <chrono>
#include <thread>

using namespace headlight;
using Clock = std::chrono::steady_clock;

namespace {

core::Seed ones(const core::Trace &trace, const std::string &stage) {
    const core::Shape shape = trace.stage(stage).shape();
    return {stage, {shape, std::vector<float>(static_cast<std::size_t>(shape.count()), 1.0f)}};
}

} // namespace

class BackwardBenchmark : public QObject {
    Q_OBJECT

  private slots:
    /// Alternates between both passes, so that other load on the machine affects both.
    void oneLayer() {
        core::Model model = test::gptModel(1, 300);
        model.config.outputLayer = {};
        const core::Input input{test::wordBatch(256), {core::CausalMask{}}};
        const core::TracePointer trace = *test::forward(model, input);
        const std::vector seeds{ones(*trace, "layers.0.output")};
        std::vector<double> there, back, kept;
        for (int turn = 0; turn < 20; ++turn) {
            auto start = Clock::now();
            QVERIFY(test::forward(model, input).ok());
            there.push_back(bench::millisecondsSince(start));
            start = Clock::now();
            QVERIFY(core::backward(*trace, seeds, false).ok());
            back.push_back(bench::millisecondsSince(start));
            start = Clock::now();
            QVERIFY(core::backward(*trace, seeds, true).ok());
            kept.push_back(bench::millisecondsSince(start));
        }
        bench::report("a layer of GPT-2 on 256 tokens: forward", there);
        bench::report("a layer of GPT-2 on 256 tokens: backward", back);
        bench::report("a layer of GPT-2 on 256 tokens: backward, stages kept", kept);
    }

    /// The scores and weights are computed one head at a time.
    void longText() {
        core::Model model = test::largeModel(512, 8);
        model.config.layerCount = 4;
        model.config.residual = true;
        const core::Input input{test::wordBatch(8192), {core::CausalMask{}}};
        const core::TracePointer trace = *test::forward(model, input);
        QVERIFY(trace->isByHead(core::Stage::AttentionWeights));
        const std::vector seeds{ones(*trace, "layers.3.output")};
        bench::report("4 layers of 8 heads on 8192 tokens: backward",
                      {bench::timed([&] { QVERIFY(core::backward(*trace, seeds, false).ok()); })});
    }

    void stopped() {
        const core::Model model = test::gptModel(12);
        const core::TracePointer trace =
            *test::forward(model, {test::wordBatch(256), {core::CausalMask{}}});
        const std::vector seeds{ones(*trace, "logits")};
        const auto work = [&](std::stop_token stop) {
            const auto gradients = core::backward(*trace, seeds, false, std::move(stop));
            QVERIFY(gradients.ok() || gradients.error().what == "cancelled");
        };
        const auto start = Clock::now();
        work({});
        const double whole = bench::millisecondsSince(start);
        bench::report("12 layers and 50257 words on 256 tokens: backward", {whole});
        constexpr int stops = 60;
        std::vector<double> times;
        for (int i = 0; i < stops; ++i) {
            std::jthread thread(work);
            std::this_thread::sleep_for(
                std::chrono::duration<double, std::milli>(whole * i / stops));
            const auto stop = Clock::now();
            thread.request_stop();
            thread.join();
            times.push_back(bench::millisecondsSince(stop));
        }
        bench::report("12 layers and 50257 words on 256 tokens: from stop to return", times);
    }
};

QTEST_GUILESS_MAIN(BackwardBenchmark)
#include "bench_backward.moc"
