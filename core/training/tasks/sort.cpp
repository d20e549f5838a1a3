// Letters, a colon, and the same letters in alphabetical order: "d a c : a c d [EOS]". The next
// letter is always the smallest one that is larger than the current one.
//
// Held out: sets of letters, so the model has never seen these letters together, in any order.
// Chance: guessing a letter or the end correctly for each of the L + 1 answers. Best: 1, because
// all letters of a sequence differ. Accuracy of the default recipe: 1.000 after 1500 steps with
// seeds 1 to 3.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/word_ids.h"

#include <algorithm>
#include <cmath>

namespace headlight::core {

namespace {

constexpr Index kSortLetters = 16;
constexpr Index kShortestSort = 4;
constexpr Index kMaxSort = 8;
constexpr Index kFirstSortLetter = 1; // id 0 is [PAD]

class SortTask final : public Task {
  public:
    SortTask(TaskInfo info, Index colon, Index end)
        : Task(std::move(info)), m_colon(colon), m_end(end) {}

    Example example(Split split, Random &random) const override {
        const Index length = between(random, kShortestSort, kMaxSort);
        std::vector<Index> letters(static_cast<std::size_t>(length)), sorted;
        do {
            drawDistinct(random, kFirstSortLetter, kSortLetters, letters);
            sorted = letters;
            std::ranges::sort(sorted);
        } while (splitOf(sorted) != split);
        Example example;
        example.tokens = letters;
        example.tokens.push_back(m_colon);
        append(example.tokens, sorted);
        example.answers.assign(letters.size(), kLeftOut);
        append(example.answers, sorted);
        example.answers.push_back(m_end);
        return example;
    }

  private:
    Index m_colon, m_end;
};

double sortChance() {
    double sum = 0;
    for (Index length = kShortestSort; length <= kMaxSort; ++length)
        sum += std::pow(1.0 / (kSortLetters + 1), static_cast<double>(length + 1));
    return sum / (kMaxSort - kShortestSort + 1);
}

} // namespace

TaskPointer sortTask() {
    WordIds ids;
    for (const std::string &letter : letters(kSortLetters))
        ids.of(letter);
    const Index colon = ids.of(kColon), end = ids.of(kEndWord);
    TaskInfo info;
    info.id = "sort";
    info.title = "Sort letters";
    info.description = "Letters, a colon, and the same letters in alphabetical order. Each letter "
                       "looks for the one that follows in alphabetical order.";
    info.words = ids.words();
    info.length = 2 * kMaxSort + 1;
    info.chance = sortChance();
    info.recipe.task = info.id;
    info.recipe.architecture.layers = 1;
    info.recipe.architecture.feedForward = 0;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.steps = 1500;
    return std::make_shared<const SortTask>(std::move(info), colon, end);
}

} // namespace headlight::core
