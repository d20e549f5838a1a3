// A contender of `run`: our forward and backward pass. The model and the input come from files, so
// that all contenders compute with the same numbers.
//
//     bench_pass MODEL.safetensors INPUT.safetensors WHAT [RESULT]
//
// WHAT is the set of retained stages: ends, weights or everything. "seen" retains the ends and
// then computes one layer's stages, as when the user selects that layer. "seen-appended" does the
// same when all tokens but the last have been computed before. "backward" runs the backward pass.
//
// Each line of standard input is a number of passes. The answer is a line of JSON with the wall
// time and the CPU time of each pass in milliseconds. RESULT receives the computed values, for
// comparison.
#include "core/formats/safetensors/safetensors.h"
#include "core/transformer/model/parameter_id.h"
#include "core/transformer/run/backward.h"
#include "tests/bench/peers/must.h"
#include "tests/support/forward.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

using namespace headlight;

namespace {

core::Tensor read(const core::SafetensorsFile &file, const std::string &name) {
    const core::TensorInfo *info = file.find(name);
    if (!info) {
        std::cerr << file.path() << ": no tensor " << name << '\n';
        std::exit(1);
    }
    return must(file.read(*info));
}

/// Reads layers as in GPT-2 (Radford et al. 2019), without embeddings and without an output layer.
/// The file has the parameters under our names, and their shapes set the sizes.
core::Model readModel(const std::string &path) {
    const core::SafetensorsFile file = must(core::SafetensorsFile::open(path));
    const auto number = [&](const char *key) { return std::stoll(file.metadata().at(key)); };
    core::Model model;
    core::Config &config = model.config;
    config.heads = number("heads");
    config.norm = {core::NormKind::Layer, core::NormPosition::Before, 1e-5f};
    config.residual = true;
    config.feedForward.activation = core::Activation::GeluTanh;
    model.parameters.main.layers.resize(static_cast<std::size_t>(number("layers")));
    for (const core::TensorInfo &info : file.tensors()) {
        const auto id = core::findParameter(info.name);
        if (!id) // only other contenders use this tensor
            continue;
        const core::Tensor tensor = must(file.read(info));
        core::parameterOf(model.parameters, *id) = core::makeParameter(
            core::Matrix(tensor.shape().last(1), tensor.shape().last(0), tensor.values()));
    }
    const core::LayerParameters &first = model.parameters.main.layers.front();
    config.width = first.selfAttention.query->rows();
    config.headSize = config.width / config.heads;
    config.feedForward.width = first.feedForward.hidden->columns();
    core::Embeddings::Given given;
    given.width = config.width;
    model.embeddings = std::make_shared<const core::Embeddings>(std::move(given));
    return model;
}

/// Returns the first `tokens` rows of [B, T, C] as the input's own embeddings, which bypass the
/// vocabulary.
core::Input inputOf(const core::Tensor &rows, core::Index tokens) {
    const auto count = static_cast<std::size_t>(rows.shape()[0]);
    const auto length = static_cast<std::size_t>(tokens);
    std::vector<core::Parameter> own;
    for (core::Index sequence = 0; sequence < rows.shape()[0]; ++sequence) {
        const core::MatrixView view = rows.view(sequence).rowBlock(0, tokens);
        own.push_back(core::makeParameter(
            core::Matrix(view.rows, view.columns,
                         std::vector<float>(view.data, view.data + view.rows * view.columns))));
    }
    const std::vector words(count, std::vector<std::string>(length, "word"));
    return {must(core::Batch::ofWords(words))
                ->withEach(std::move(own), std::vector<std::vector<core::Index>>(count)),
            {core::CausalMask{}}};
}

core::RetainedStages keepOf(const std::string &what, core::Index layers) {
    if (what == "ends" || what.starts_with("seen"))
        return core::Detail::Ends;
    if (what != "weights")
        return core::Detail::Everything;
    std::vector<core::StageId> stages;
    for (core::Index layer = 0; layer < layers; ++layer)
        stages.push_back({core::Stage::AttentionWeights, layer});
    stages.push_back({core::Stage::LayerOutput, layers - 1});
    return core::RetainedStages(std::move(stages));
}

void append(std::ofstream &file, const float *numbers, core::Index count) {
    file.write(reinterpret_cast<const char *>(numbers),
               static_cast<std::streamsize>(sizeof(float)) * count);
}

struct Contender {
    core::Model model;
    core::Input input;
    core::RetainedStages keep;
    bool goesBack;
    bool looks; ///< computes the details of the middle layer
    std::vector<core::Seed> seeds{};
    core::TracePointer previous{};

    struct Made {
        core::TracePointer trace;
        core::GradientsPointer gradients;
    };
    Made pass() const {
        Made made{must(test::forward(model, input, previous, {}, keep)), nullptr};
        if (looks)
            made.trace = lookedAt(*made.trace);
        if (goesBack)
            made.gradients = must(core::backward(*made.trace, seeds, false));
        return made;
    }
    core::TracePointer lookedAt(const core::Trace &trace) const {
        return must(trace.prepared(core::Stage::AttentionWeights, {model.layerCount() / 2}, 0, 0,
                                   {}, previous.get()));
    }
    core::AttentionId last() const { return model.layerCount() - 1; }

    /// Writes the last layer's output, then the matrix that the pass is about: the attention
    /// weights of the first sequence and head, or the gradient of the first W_Q.
    void write(const std::string &path, bool keepsWeights) const {
        const Made made = pass();
        std::ofstream file(path, std::ios::binary);
        const core::Tensor output = made.trace->stage(core::Stage::LayerOutput, last());
        append(file, output.values().data(), output.shape().count());
        if (keepsWeights) {
            const core::Tensor weights = made.trace->stage(core::Stage::AttentionWeights, last());
            const core::MatrixView view = weights.view(0, 0);
            append(file, view.data, view.rows * view.columns);
        }
        if (goesBack) {
            const core::Parameter &query =
                made.gradients->parameters.main.layers.front().selfAttention.query;
            const core::Matrix numbers = *query->toMatrix();
            append(file, numbers.view().data, query->rows() * query->columns());
        }
    }
};

void answer(const Contender &contender, int passes) {
    std::string wall, processor;
    for (int pass = 0; pass < passes; ++pass) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t processorStart = std::clock();
        const Contender::Made made = contender.pass();
        const std::clock_t processorEnd = std::clock();
        const std::chrono::duration<double, std::milli> time =
            std::chrono::steady_clock::now() - start;
        const char *comma = pass > 0 ? ", " : "";
        wall += comma + std::to_string(time.count());
        processor +=
            comma + std::to_string(1000.0 * static_cast<double>(processorEnd - processorStart) /
                                   CLOCKS_PER_SEC);
    }
    std::cout << "{\"wall\": [" << wall << "], \"cpu\": [" << processor << "]}" << std::endl;
}

} // namespace

int main(int count, char **arguments) {
    if (count < 4) {
        std::cerr << "bench_pass MODEL INPUT "
                     "ends|weights|everything|seen|seen-appended|backward [RESULT]\n";
        return 2;
    }
    const std::string what = arguments[3];
    const core::SafetensorsFile file = must(core::SafetensorsFile::open(arguments[2]));
    core::Model model = readModel(arguments[1]);
    const core::Tensor input = read(file, "input");
    const core::Index tokens = input.shape()[1];
    Contender contender{model, inputOf(input, tokens), keepOf(what, model.layerCount()),
                        what == "backward", what.starts_with("seen")};
    if (what == "seen-appended")
        contender.previous = contender.lookedAt(
            *must(test::forward(model, inputOf(input, tokens - 1), nullptr, {}, contender.keep)));
    if (contender.goesBack)
        contender.seeds = {
            {core::stageName(core::Stage::LayerOutput, contender.last()), read(file, "seed")}};
    if (count > 4)
        contender.write(arguments[4], what == "weights");
    for (int passes = 0; std::cin >> passes;)
        answer(contender, passes);
    return 0;
}
