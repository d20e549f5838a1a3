// Durations of long texts, and the peak memory without the pages of files. 8,192 tokens go through
// a rotary model of 4 layers of 8 heads and width 512, and 2,048 tokens through GPT-2's shape with
// all 144 heads at a glance.
//   HEADLIGHT_BENCH_MODEL=/path/to/folder bench_long_text    (script/bench writes a random model)
#include "tests/bench/report.h"
#include "tests/support/long_input.h"
#include "ui/views/model_view.h"

using namespace headlight;
using core::Stage;

namespace {

constexpr core::Index kLongText = 8192;
constexpr core::Index kGptTokens = 2048;
constexpr double kGptMemory = 900; // MB
const std::string kRotary = "A rotary model, 8192 tokens: ";

core::Model rotaryModel() {
    constexpr core::Index kRotaryWidth = 512;
    core::Model model = test::largeModel(kRotaryWidth, 8);
    core::Config &config = model.config;
    config.layerCount = 4;
    config.positions = core::Positions::Rotary;
    config.norm = {core::NormKind::Layer, core::NormPosition::Before, 1e-5f, true, false};
    config.residual = true;
    config.feedForward = {4 * kRotaryWidth, core::Activation::Gelu, false};
    core::FeedForwardParameters &feedForward = model.parameters.main.layers[0].feedForward;
    feedForward.hidden = test::randomParameter(kRotaryWidth, 4 * kRotaryWidth, 6);
    feedForward.output = test::randomParameter(4 * kRotaryWidth, kRotaryWidth, 7);
    return model;
}

core::Input rotaryInput() {
    return {test::wordBatch(kLongText), {core::CausalMask{}}};
}

/// Reports how long the Model view takes until it shows all heads, and the memory until then.
void glance(const std::string &name, ui::OpenedSource source, bench::Limit limit) {
    const bench::PrivateMemory memory;
    ui::Document document;
    const double pass = bench::timed([&] {
        document.open(std::move(source));
        QVERIFY(test::settled(document));
    });
    ui::ModelView view(document);
    view.resize(1280, 620);
    view.show();
    const double glances = bench::timed([&] {
        (void)view.grab(); // requests the thumbnails
        HEADLIGHT_UNTIL(view.isComplete());
        (void)view.grab();
    });
    bench::report(name + "the pass in the window", pass / 1000, "s");
    bench::report(name + "all heads at a glance, after the pass", glances / 1000, "s");
    bench::report(name + "private memory with all heads at a glance", memory.most(), "MB", limit);
}

} // namespace

class LongTextBenchmark : public QObject {
    Q_OBJECT

  private slots:
    void init() { QSettings().clear(); }

    void engine() {
        const core::Model model = rotaryModel();
        const core::Input input = rotaryInput();
        const bench::PrivateMemory memory;
        const auto measure = [](const char *what, const auto &work) {
            bench::report(kRotary + what, bench::timed(work) / 1000, "s");
        };
        core::TracePointer trace;
        measure("the pass", [&] { trace = test::forward(model, input).value(); });
        QVERIFY(trace->isByHead(Stage::AttentionWeights));
        measure("a layer, and the weights of one head",
                [&] { trace = trace->prepared(Stage::AttentionWeights, {2}, 0, 3).value(); });
        measure("the weights of the next head",
                [&] { QVERIFY(!trace->matrix(Stage::AttentionWeights, {2}, 0, 4).empty()); });
        bench::report(kRotary + "private memory with a head", memory.most(), "MB");
    }

    void glanceAtRotaryModel() {
        glance(kRotary, test::sourceOf(rotaryModel(), rotaryInput()), {});
    }

    /// If the program refuses GPT-2's vocabulary with so many tokens, the model has 1,000 words
    /// instead.
    void glanceAtGpt() {
        const QString folder = qEnvironmentVariable("HEADLIGHT_BENCH_MODEL");
        if (folder.isEmpty())
            QSKIP("HEADLIGHT_BENCH_MODEL names no folder with a model");
        ui::SourceRequest request;
        request.source = folder;
        request.tokenIds.emplace(kGptTokens);
        for (core::Index token = 0; token < kGptTokens; ++token)
            (*request.tokenIds)[static_cast<std::size_t>(token)] = 500 + token % 400;
        const std::string name = "GPT-2's shape, 2048 tokens: ";
        auto source = ui::openSource(request);
        if (source)
            return glance(name, *std::move(source), kGptMemory);
        qInfo("%s", source.error().text().c_str());
        bench::reportRefused(name + "private memory with all heads at a glance", "MB", kGptMemory);
        core::Model model = test::gptModel(12, 1000);
        model.parameters.main.positions = test::randomParameter(kGptTokens, model.config.width, 8);
        std::vector<std::string> words;
        for (core::Index token = 0; token < kGptTokens; ++token)
            words.push_back("word" + std::to_string(token % 1000));
        glance("GPT-2's shape with 1000 words, 2048 tokens: ",
               test::sourceOf(std::move(model),
                              {*core::Batch::ofWords({std::move(words)}), {core::CausalMask{}}}),
               kGptMemory);
    }
};

QTEST_MAIN(LongTextBenchmark)
#include "bench_long_text.moc"
