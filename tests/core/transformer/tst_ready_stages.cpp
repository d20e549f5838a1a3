// Progress that a forward pass reports to other threads, and isReady(), which returns immediately
// and correctly while other threads compute or copy the same trace. The window calls it before
// drawing each view.
#include "core/transformer/run/progress.h"
#include "core/transformer/trace/stage_computer.h"
#include "core_test.h"
#include "random_transformers.h"

#include <atomic>
#include <latch>

namespace {

/// Reads from a complete trace. Reading the matrix of one head blocks until the test releases it.
class Reader : public StageSource {
  public:
    Reader(TracePointer whole, Index slowHead) : m_whole(std::move(whole)), m_slowHead(slowHead) {}

    Result<Tensor> stage(StepId step, const std::stop_token &) const override {
        return m_whole->numbers(step);
    }
    Result<SharedMatrix> rows(StepId step, Index sequence, Index head, Rows rows,
                              const std::stop_token &) const override {
        if (head == m_slowHead) {
            m_isReading.arrive_and_wait();
            m_mayGoOn.arrive_and_wait();
        }
        return m_whole->matrix(step, sequence, head).rowBlock(rows.first, rows.count);
    }

    void waitUntilItReads() const { m_isReading.arrive_and_wait(); }
    void goOn() const { m_mayGoOn.arrive_and_wait(); }

  private:
    TracePointer m_whole;
    Index m_slowHead;
    mutable std::latch m_isReading{2}, m_mayGoOn{2};
};

/// A trace of at least two heads whose attention weights are read one head at a time.
struct ReadByHead {
    TracePointer whole, trace;
    std::shared_ptr<const Reader> reader;
};

ReadByHead readByHead(Index slowHead) {
    Random random(5);
    Model model;
    do
        model = randomTransformer(random);
    while (model.headsOf(Stack::Main) < 2 || model.hasCrossAttention());
    const auto whole = valueOf(forward(model, randomTransformerInput(random, model)));
    const Trace &of = *whole;
    std::vector<Tensor> numbers;
    for (StepId step = 0; step < of.plan().size(); ++step)
        numbers.push_back(infoOf(of.plan()[step].at.stage).overKeys() ? Tensor()
                                                                      : of.numbers(step));
    auto reader = std::make_shared<const Reader>(whole, slowHead);
    return {whole,
            std::make_shared<const Trace>(
                of.model(), of.input(), of.allMasks(), std::make_shared<const Plan>(of.plan()),
                std::move(numbers), Work(), stageComputer(), Detail::Heads, reader),
            reader};
}

} // namespace

TEST_CASE("ready stages return while another head is read") {
    const auto [whole, trace, reader] = readByHead(1);
    const SharedMatrix first = trace->matrix(Stage::AttentionWeights, {}, 0, 0);
    REQUIRE_FALSE(first.empty());
    std::jthread reads(
        [&trace = trace] { (void)trace->matrix(Stage::AttentionWeights, {}, 0, 1); });
    reader->waitUntilItReads();
    CHECK(trace->isReady(Stage::AttentionWeights, {}, 0, 0));
    CHECK_FALSE(trace->isReady(Stage::AttentionWeights, {}, 0, 1));
    const SharedMatrix again = trace->matrix(Stage::AttentionWeights, {}, 0, 0);
    CHECK(again.view().data == first.view().data);
    reader->goOn();
    reads.join();
    CHECK(trace->isReady(Stage::AttentionWeights, {}, 0, 1));
}

TEST_CASE("ready stages stay ready while other threads prepare copies") {
    const auto [whole, trace, reader] = readByHead(-1);
    const auto prepared = trace->prepared(Stage::AttentionWeights, {}, 0, 0);
    REQUIRE(prepared.ok());
    std::atomic<int> copies = 0;
    std::jthread copying([&, &ready = *prepared](const std::stop_token &stop) {
        for (; !stop.stop_requested(); ++copies)
            (void)ready->prepared(Stage::AttentionWeights, {}, 0, 0).ok();
    });
    int wrong = 0;
    while (copies < 2000)
        wrong += (*prepared)->isReady(Stage::AttentionWeights, {}, 0, 0) ? 0 : 1;
    CHECK(wrong == 0);
}

namespace {

std::uint32_t layersOf(const Model &model) {
    const Index encoder = model.hasEncoder() ? model.layerCount(Stack::Encoder) : 0;
    return static_cast<std::uint32_t>(encoder + model.layerCount());
}

} // namespace

TEST_CASE("every step counts the layers before it in the plan") {
    int encoders = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        encoders += model.hasEncoder();
        std::uint32_t before = 0;
        const Plan plan = planOf(model, input);
        for (const Step &step : plan.steps()) {
            if (step.isAside)
                continue;
            const Progress::Layers layers = layersBefore(model, step.at);
            CHECK(layers.all == layersOf(model));
            CHECK(layers.computed <= layers.all);
            CHECK(layers.computed >= before);
            before = layers.computed;
            if (infoOf(step.at.stage).part == Part::OutputLayer)
                CHECK(layers.computed == layers.all);
        }
    }
    CHECK(encoders > 3);
}

TEST_CASE("another thread reads the progress of a pass") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CAPTURE(seed);
        Random random(seed);
        const Model model = randomTransformer(random);
        const Input input = randomTransformerInput(random, model);
        Progress progress;
        CHECK(progress.layers() == Progress::Layers{});
        bool isSound = true;
        {
            const std::jthread reader([&](const std::stop_token &stop) {
                Progress::Layers before;
                while (!stop.stop_requested()) {
                    const Progress::Layers now = progress.layers();
                    isSound = isSound && now.computed >= before.computed &&
                              (now.all == layersOf(model) || now == Progress::Layers{});
                    before = now;
                }
            });
            const auto trace = forward(model, input, nullptr, {}, {}, &progress);
            const auto alone = forward(model, input);
            REQUIRE(trace.ok() == alone.ok());
        }
        CHECK(isSound);
        if (const auto again = forward(model, input, nullptr, {}, {}, &progress)) {
            CHECK(progress.layers().all == layersOf(model));
            CHECK(progress.layers().computed + 1 >= layersOf(model));
        }
    }
}
