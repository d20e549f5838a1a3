// Letters, a colon, and the letters in reverse order: "d a c : c a d [EOS]". The first answer, at
// the colon, is the last letter. At each letter, the answer is the letter before it in the input.
// So one layer stores the predecessor of each letter, and the next layer looks it up.
//
// Held out: sequences, by their content. Chance: guessing a letter or the end correctly for each of
// the L + 1 answers. Best: 1, because all letters of a sequence differ. Accuracy of the default
// recipe: 1.000 after 1000 steps with seeds 1 to 3.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/word_ids.h"

#include <cmath>

namespace headlight::core {

namespace {

constexpr Index kReverseLetters = 16;
constexpr Index kShortestReverse = 4;
constexpr Index kMaxReverse = 8;
constexpr Index kFirstReverseLetter = 1; // id 0 is [PAD]

class ReverseTask final : public Task {
  public:
    ReverseTask(TaskInfo info, Index colon, Index end)
        : Task(std::move(info)), m_colon(colon), m_end(end) {}

    Example example(Split split, Random &random) const override {
        const Index length = between(random, kShortestReverse, kMaxReverse);
        std::vector<Index> letters(static_cast<std::size_t>(length));
        do
            drawDistinct(random, kFirstReverseLetter, kReverseLetters, letters);
        while (splitOf(letters) != split);
        Example example;
        example.tokens = letters;
        example.tokens.push_back(m_colon);
        example.tokens.insert(example.tokens.end(), letters.rbegin(), letters.rend());
        example.answers.assign(letters.size(), kLeftOut);
        example.answers.insert(example.answers.end(), letters.rbegin(), letters.rend());
        example.answers.push_back(m_end);
        return example;
    }

  private:
    Index m_colon, m_end;
};

double reverseChance() {
    double sum = 0;
    for (Index length = kShortestReverse; length <= kMaxReverse; ++length)
        sum += std::pow(1.0 / (kReverseLetters + 1), static_cast<double>(length + 1));
    return sum / (kMaxReverse - kShortestReverse + 1);
}

} // namespace

TaskPointer reverseTask() {
    WordIds ids;
    for (const std::string &letter : letters(kReverseLetters))
        ids.of(letter);
    const Index colon = ids.of(kColon), end = ids.of(kEndWord);
    TaskInfo info;
    info.id = "reverse";
    info.title = "Reverse a sequence";
    info.description = "Letters, a colon, and the same letters in reverse order. Each letter looks "
                       "up the one before it in the original.";
    info.words = ids.words();
    info.length = 2 * kMaxReverse + 1;
    info.chance = reverseChance();
    info.recipe.task = info.id;
    info.recipe.architecture.feedForward = 0;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.steps = 1000;
    return std::make_shared<const ReverseTask>(std::move(info), colon, end);
}

} // namespace headlight::core
