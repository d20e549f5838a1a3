// A model of GPT-2's size on a long text. Measures how long a forward pass and the details of one
// layer take, and how soon each returns after a stop request.
#include "report.h"
#include "tests/support/forward.h"
#include "tests/support/large_model.h"

#include <QtTest>

#include <chrono>
#include <thread>

using namespace headlight;
using Clock = std::chrono::steady_clock;

namespace {

constexpr core::Index kTokens = 512;
constexpr int kStops = 60;

/// Runs `work` once to its end, then stops it at times spread over that duration.
template <typename Work>
void measureStops(const char *what, const Work &work) {
    const auto start = Clock::now();
    work(std::stop_token());
    const double whole = bench::millisecondsSince(start);
    bench::report(what, {whole});
    std::vector<double> times;
    for (int i = 0; i < kStops; ++i) {
        std::jthread thread(work);
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(whole * i / kStops));
        const auto stop = Clock::now();
        thread.request_stop();
        thread.join();
        times.push_back(bench::millisecondsSince(stop));
    }
    bench::report(std::string(what) + ": from stop to return", times);
}

} // namespace

class CancelBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void initTestCase() {
        m_model = test::gptModel(12);
        m_input = {test::wordBatch(kTokens), {core::CausalMask{}}};
    }
    void forwardPass() {
        measureStops("12 layers on 512 tokens: the pass", [&](std::stop_token stop) {
            const auto trace = test::forward(m_model, m_input, nullptr, std::move(stop));
            QVERIFY(trace.ok() || trace.error().what == "cancelled");
        });
    }
    void layerDetails() {
        const auto trace = test::forward(m_model, m_input);
        QVERIFY(trace.ok() && !(*trace)->isWhole());
        measureStops("12 layers on 512 tokens: the details of one layer",
                     [&](std::stop_token stop) {
                         (void)core::layerDetails(**trace, core::Stack::Main, 5, std::move(stop));
                     });
        measureStops("12 layers on 512 tokens: logits and probabilities",
                     [&](std::stop_token stop) {
                         (void)core::outputLayerDetails(**trace, std::move(stop));
                     });
    }

  private:
    core::Model m_model;
    core::Input m_input;
};

QTEST_GUILESS_MAIN(CancelBenchmark)
#include "bench_cancel.moc"
