// A contender of `train`: our training steps. PyTorch reads the same batches from a file.
//
//     bench_train SIZE --write FOLDER      writes the initial parameters and the batches
//     bench_train SIZE [RESULT]            prints like bench_pass, one step per pass
//
// SIZE is small or large. RESULT receives the loss of each of the first 50 steps.
#include "core/formats/safetensors/writer.h"
#include "core/training/run/trainer.h"
#include "core/transformer/model/parameter_id.h"
#include "tests/bench/peers/must.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <string>

using namespace headlight;

namespace {

constexpr core::Index kBatches = 50; // the batches repeat after these
constexpr core::Index kWords = 32;

core::Recipe recipeOf(const std::string &size) {
    core::Recipe recipe;
    recipe.task = "bench";
    recipe.batch = 32;
    recipe.steps = core::kMaxSteps;
    recipe.optimizer.warmUp = 0;
    recipe.optimizer.cosine = false;
    if (size == "large") {
        recipe.architecture.layers = 4;
        recipe.architecture.heads = 4;
        recipe.architecture.width = 128;
        recipe.architecture.feedForward = 512;
    }
    return recipe;
}

/// A task of random words. Each word's target is the next one.
class BenchTask final : public core::Task {
  public:
    explicit BenchTask(core::TaskInfo info)
        : Task(std::move(info)), m_examples(kBatches * this->info().recipe.batch) {
        core::Random random(1);
        for (core::Example &example : m_examples) {
            for (core::Index t = 0; t <= this->info().length; ++t)
                example.tokens.push_back(static_cast<core::Index>(random.next() % kWords));
            example.answers.assign(example.tokens.begin() + 1, example.tokens.end());
            example.tokens.pop_back();
        }
    }
    /// Returns the examples one after another instead of a random one.
    core::Example example(core::Split, core::Random &) const override {
        return m_examples[m_next++ % m_examples.size()];
    }

  private:
    std::vector<core::Example> m_examples;
    mutable std::size_t m_next = 0;
};

core::TaskPointer taskOf(const std::string &size) {
    core::TaskInfo info;
    info.id = "bench";
    for (core::Index word = 0; word < kWords; ++word)
        info.words.push_back("w" + std::to_string(word));
    info.length = size == "large" ? 64 : 16;
    info.recipe = recipeOf(size);
    return std::make_shared<const BenchTask>(std::move(info));
}

void write(const std::string &folder, const std::string &size) {
    const core::TaskPointer task = taskOf(size);
    const core::Recipe recipe = recipeOf(size);
    const core::Model model =
        must(core::initialModel(task->info(), recipe.architecture, recipe.seed));
    std::vector<core::NamedTensor> tensors;
    for (const core::ParameterId &id : core::allParameters(model.parameters))
        if (const core::Parameter &parameter = core::parameterOf(model.parameters, id)) {
            const core::Matrix numbers = must(parameter->toMatrix());
            tensors.push_back({core::nameOf(id), core::Tensor({numbers.rows(), numbers.columns()},
                                                              numbers.values())});
        }
    std::vector<float> tokens, answers;
    for (const core::Example &example :
         core::examplesOf(*task, core::Split::Train, 0, 0, kBatches * recipe.batch)) {
        tokens.insert(tokens.end(), example.tokens.begin(), example.tokens.end());
        answers.insert(answers.end(), example.answers.begin(), example.answers.end());
    }
    const core::Shape shape{kBatches, recipe.batch, task->info().length};
    tensors.push_back({"batches.tokens", core::Tensor(shape, std::move(tokens))});
    tensors.push_back({"batches.answers", core::Tensor(shape, std::move(answers))});
    const std::string bytes = must(core::safetensorsBytes(
        tensors, {{"layers", std::to_string(recipe.architecture.layers)},
                  {"heads", std::to_string(recipe.architecture.heads)},
                  {"parameters", std::to_string(core::parameterCount(model))}}));
    std::ofstream(folder + "/training-" + size + ".safetensors", std::ios::binary) << bytes;
}

} // namespace

int main(int count, char **arguments) {
    if (count < 2) {
        std::fprintf(stderr, "usage: bench_train small|large [--write FOLDER | RESULT]\n");
        return 2;
    }
    const std::string size = arguments[1], what = count > 2 ? arguments[2] : "";
    if (what == "--write" && count > 3) {
        write(arguments[3], size);
        return 0;
    }
    core::Trainer trainer = must(core::Trainer::create(recipeOf(size), taskOf(size)));
    for (core::Index step = 0; step < kBatches; ++step)
        must(trainer.advance());
    if (!what.empty()) {
        std::ofstream file(what, std::ios::binary);
        for (const core::HistoryPoint &point : trainer.history()) {
            const float loss = static_cast<float>(point.loss);
            file.write(reinterpret_cast<const char *>(&loss), sizeof loss);
        }
    }
    for (std::string line; std::getline(std::cin, line);) {
        std::string wall, cpu;
        for (long i = std::atol(line.c_str()); i > 0; --i) {
            const auto start = std::chrono::steady_clock::now();
            const std::clock_t processor = std::clock();
            must(trainer.advance());
            const std::chrono::duration<double, std::milli> took =
                std::chrono::steady_clock::now() - start;
            const double work = 1e3 * static_cast<double>(std::clock() - processor) /
                                static_cast<double>(CLOCKS_PER_SEC);
            wall += (wall.empty() ? "" : ", ") + std::to_string(took.count());
            cpu += (cpu.empty() ? "" : ", ") + std::to_string(work);
        }
        std::cout << "{\"wall\": [" << wall << "], \"cpu\": [" << cpu << "]}" << std::endl;
    }
}
