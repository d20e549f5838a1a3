// "she sat on the river bank", "he paid at the bank": a river bank or a bank for money? One or two
// other words decide, near "bank" or far from it. The sentence ends with "bank", and a classifier
// reads the vector of this last word, so it must attend to the deciding words.
//
// Held out: sentences, by all their words. Chance: one half, because both senses are equally likely
// and differ only in the deciding words. Best: 1, because each sentence has one or two deciding
// words. Accuracy of the default recipe: 1.000 after 1000 steps with seeds 1 to 3.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/word_ids.h"

#include <algorithm>
#include <set>

namespace headlight::core {

namespace {

using Lines = std::vector<std::vector<Index>>;

struct BankWords {
    Lines openings, people;
    Lines neutralVerbs;         ///< with a preposition: "sat on"
    Lines neutralOnes;          ///< before "bank"
    Lines tellingVerbs[2];      ///< for each sense: "fished from", "paid at"
    Lines tellingOnes[2];       ///< for each sense: "river", "savings"
    Lines tellingThings[2];     ///< for each sense: "with a boat", "with a cheque"
    std::vector<Index> telling; ///< sorted words that occur only with one sense
    Index the = 0, bank = 0;
};

/// Returns the words that occur only with one sense and are not in the neutral lists.
std::vector<Index> wordsThatTell(const BankWords &words) {
    std::set<Index> senses[2], neutral;
    const auto add = [](const Lines &lines, std::set<Index> &to) {
        for (const auto &line : lines)
            to.insert(line.begin(), line.end());
    };
    for (const std::size_t sense : {0, 1})
        for (const Lines *lines :
             {&words.tellingVerbs[sense], &words.tellingOnes[sense], &words.tellingThings[sense]})
            add(*lines, senses[sense]);
    for (const Lines *lines :
         {&words.openings, &words.people, &words.neutralVerbs, &words.neutralOnes})
        add(*lines, neutral);
    std::vector<Index> tell;
    std::ranges::set_symmetric_difference(senses[0], senses[1], std::back_inserter(tell));
    std::erase_if(tell, [&neutral](Index word) { return neutral.contains(word); });
    return tell;
}

class WhichBankTask final : public Task {
  public:
    WhichBankTask(TaskInfo info, BankWords words)
        : Task(std::move(info)), m_words(std::move(words)) {}

    Example example(Split split, Random &random) const override {
        Example example;
        const Index sense = below(random, 2);
        do
            example.tokens = sentence(random, static_cast<std::size_t>(sense));
        while (splitOf(example.tokens) != split);
        example.answers = {sense};
        return example;
    }

    /// Returns the deciding words as the origins of the last token.
    std::vector<std::vector<Index>> originsOf(const Example &example) const override {
        std::vector<std::vector<Index>> origins(example.tokens.size());
        for (std::size_t i = 0; i < example.tokens.size(); ++i)
            if (tells(example.tokens[i]))
                origins.back().push_back(static_cast<Index>(i));
        return origins;
    }

  private:
    enum Telling { Verb, One, Thing };

    /// True if the word occurs only with one sense.
    bool tells(Index token) const { return std::ranges::binary_search(m_words.telling, token); }

    std::vector<Index> sentence(Random &random, std::size_t sense) const {
        const Index telling = below(random, 3);
        std::vector<Index> tokens = oneOf(random, m_words.openings);
        append(tokens, oneOf(random, m_words.people));
        append(tokens,
               oneOf(random, telling == Verb ? m_words.tellingVerbs[sense] : m_words.neutralVerbs));
        // Objects go between verb and preposition: "waited with a boat at the bank".
        if (telling == Thing) {
            const Index preposition = tokens.back();
            tokens.pop_back();
            append(tokens, oneOf(random, m_words.tellingThings[sense]));
            tokens.push_back(preposition);
        }
        tokens.push_back(m_words.the);
        append(tokens,
               oneOf(random, telling == One ? m_words.tellingOnes[sense] : m_words.neutralOnes));
        tokens.push_back(m_words.bank);
        return tokens;
    }

    BankWords m_words;
};

} // namespace

TaskPointer whichBankTask() {
    WordIds ids;
    BankWords words;
    words.openings = ids.lines({"", "", "yesterday", "today", "then", "at noon"});
    words.people = ids.lines({"I", "she", "he", "we", "they", "Anna", "Tom", "my sister",
                              "our neighbour", "the old man", "the children"});
    words.neutralVerbs = ids.lines({"sat on", "waited at", "stood near", "met at", "stopped at",
                                    "walked to", "went to", "came from"});
    words.neutralOnes = ids.lines({"", "", "old", "other", "nearest", "same"});
    words.tellingVerbs[0] =
        ids.lines({"fished from", "swam to", "rowed to", "dived from", "sailed to"});
    words.tellingVerbs[1] =
        ids.lines({"paid at", "invested at", "earned at", "borrowed from", "saved at"});
    words.tellingOnes[0] = ids.lines({"river", "muddy", "grassy", "sandy", "canal"});
    words.tellingOnes[1] = ids.lines({"money", "savings", "central", "investment", "commercial"});
    words.tellingThings[0] =
        ids.lines({"with a boat", "with a net", "with a fish", "with a paddle", "with a duck"});
    words.tellingThings[1] =
        ids.lines({"with a cheque", "with a coin", "with a loan", "with a wallet", "with a debt"});
    words.the = ids.of("the");
    words.bank = ids.of("bank");
    words.telling = wordsThatTell(words);

    TaskInfo info;
    info.id = "which-bank";
    info.title = "Which bank?";
    info.description =
        "“I sat on the river bank”, “I waited with a cheque at the bank”: a river's, or one for "
        "money? The word “bank” has to attend to the word that decides.";
    info.asks = TargetPositions::Class;
    info.words = ids.words();
    info.classes = {"river", "money"};
    info.length = 2 + 3 + 2 + 3 + 1 + 1 + 1; // "at noon", "the old man" and so on
    info.chance = 0.5;
    info.recipe.task = info.id;
    info.recipe.architecture.layers = 1;
    info.recipe.architecture.heads = 1;
    info.recipe.architecture.width = 16;
    info.recipe.architecture.feedForward = 0;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.optimizer.weightDecay = 0.5f;
    info.recipe.steps = 1000;
    return std::make_shared<const WhichBankTask>(std::move(info), std::move(words));
}

} // namespace headlight::core
