// A sequence of letters, and the same once more: "d a c b d a c b". What comes next in the second
// copy is what came after the same letter in the first: an induction head's task (Olsson et al.
// 2022). How long the copy is differs, so no place says where to look.
//
// Held out: sequences, by what is in them. Chance: a letter is guessed for each of the L − 1
// answers. Best: 1, all letters of a sequence differ.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/held_out.h"
#include "core/training/tasks/makers.h"

#include <cmath>

namespace headlight::core {

namespace {

constexpr Index kRepeatLetters = 26;
constexpr Index kShortestRepeat = 4;
constexpr Index kLongestRepeat = 12;
constexpr Index kFirstRepeatLetter = 1; // behind [PAD]

class RepeatTask final : public Task {
  public:
    using Task::Task;

    Example example(Split split, Random &random) const override {
        const Index length = between(random, kShortestRepeat, kLongestRepeat);
        std::vector<Index> copy(static_cast<std::size_t>(length));
        do
            drawDistinct(random, kFirstRepeatLetter, kRepeatLetters, copy);
        while (splitOf(copy) != split);
        Example example;
        example.tokens = copy;
        // The last letter is what its neighbour's answer is; nothing comes after it.
        example.tokens.insert(example.tokens.end(), copy.begin(), copy.end() - 1);
        example.answers.assign(copy.size(), kLeftOut); // of the first copy nothing can be known
        example.answers.insert(example.answers.end(), copy.begin() + 1, copy.end());
        return example;
    }

    /// The answer's own place in the first copy.
    std::vector<std::vector<Index>> originsOf(const Example &example) const override {
        const std::size_t length = (example.tokens.size() + 1) / 2;
        std::vector<std::vector<Index>> origins(example.tokens.size());
        for (std::size_t i = length; i < origins.size(); ++i)
            origins[i] = {static_cast<Index>(i - length + 1)};
        return origins;
    }
};

double repeatChance() {
    double sum = 0;
    for (Index length = kShortestRepeat; length <= kLongestRepeat; ++length)
        sum += std::pow(1.0 / kRepeatLetters, static_cast<double>(length - 1));
    return sum / (kLongestRepeat - kShortestRepeat + 1);
}

} // namespace

TaskPointer repeatTask() {
    TaskInfo info;
    info.id = "repeat";
    info.title = "Repeat a sequence";
    info.description = "Different letters, and the same once more: which one is next? It takes two "
                       "layers of attention: one sees which letter came before each, the other "
                       "finds the letter that came after this one the first time.";
    info.words = letters(kRepeatLetters);
    info.words.emplace(info.words.begin(), kPadToken);
    info.length = 2 * kLongestRepeat - 1;
    info.chance = repeatChance();
    info.recipe.task = info.id;
    info.recipe.architecture.feedForward = 0;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.steps = 2000;
    return std::make_shared<const RepeatTask>(std::move(info));
}

} // namespace headlight::core
