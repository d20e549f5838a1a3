// Predicts the letter before each letter. This is the simplest use of attention, and what the first
// layer of an induction head does.
//
// Held out: sequences, by their content. Chance: guessing a letter correctly for each of the T − 1
// answers. Best: 1. Accuracy of the default recipe: 1.000 after 300 steps with seeds 1 to 3.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/makers.h"

#include <cmath>

namespace headlight::core {

namespace {

constexpr Index kPreviousLetters = 16;
constexpr Index kPreviousLength = 12;

class PreviousTokenTask final : public Task {
  public:
    using Task::Task;

    Example example(Split split, Random &random) const override {
        Example example;
        example.tokens.resize(kPreviousLength);
        do
            for (Index &token : example.tokens)
                token = 1 + below(random, kPreviousLetters);
        while (splitOf(example.tokens) != split);
        example.answers.push_back(kLeftOut); // no letter before the first one
        example.answers.insert(example.answers.end(), example.tokens.begin(),
                               example.tokens.end() - 1);
        return example;
    }
};

} // namespace

TaskPointer previousTokenTask() {
    TaskInfo info;
    info.id = "previous-token";
    info.title = "The letter before";
    info.description = "At each letter the model predicts the letter before it. One layer with one "
                       "head can do it, from the positions alone.";
    info.words = letters(kPreviousLetters);
    info.words.emplace(info.words.begin(), kPadToken);
    info.length = kPreviousLength;
    info.answersInPlace = true;
    info.chance = std::pow(1.0 / kPreviousLetters, kPreviousLength - 1);
    info.recipe.task = info.id;
    info.recipe.architecture.layers = 1;
    info.recipe.architecture.heads = 1;
    info.recipe.architecture.feedForward = 0;
    info.recipe.optimizer.learningRate = 5e-3f;
    info.recipe.steps = 300;
    return std::make_shared<const PreviousTokenTask>(std::move(info));
}

} // namespace headlight::core
