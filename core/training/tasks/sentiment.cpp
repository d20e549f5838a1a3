// "the film was not bad but the music was boring .": positive or negative? "not" inverts the
// meaning of its clause. With "but", the clause after it counts. With "although", the clause before
// it counts: "the film was good although the music was bad". Neither words nor positions alone are
// enough to decide.
//
// Held out: combinations of subjects, opinions, negations and the conjunction, regardless of
// degrees ("very good" or "really good"). Chance: one half, because both classes are equally
// likely. Best: 1. Accuracy of the default recipe: 1.000 after 1500 steps with seeds 1 to 3; with
// one layer 0.96, 0.89 and 0.93.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/word_ids.h"

#include <algorithm>
#include <array>

namespace headlight::core {

namespace {

using Lines = std::vector<std::vector<Index>>;

struct SentimentWords {
    std::vector<Index> things;
    std::vector<Index> opinions[2]; ///< negative, positive
    Lines degrees;
    Index the = 0, was = 0, negation = 0, but = 0, although = 0, also = 0, stop = 0;
};

enum class Joined { Alone, ByAnd, ByBut, ByAlthough };

struct Clause {
    Index thing = 0;
    bool isNegated = false;
    Index opinion = 0;
};

class SentimentTask final : public Task {
  public:
    SentimentTask(TaskInfo info, SentimentWords words)
        : Task(std::move(info)), m_words(std::move(words)) {}

    Example example(Split split, Random &random) const override {
        const Index liked = below(random, 2);
        const auto joined = static_cast<Joined>(below(random, 4));
        Clause counts, other;
        std::array<Index, 7> content{};
        do {
            counts = clause(random, liked);
            do // also drawn for a single clause, which does not use it
                other = clause(random, joined == Joined::ByAnd ? liked : 1 - liked);
            while (other.thing == counts.thing);
            content = {static_cast<Index>(joined), counts.thing, counts.isNegated, counts.opinion};
            if (joined != Joined::Alone)
                std::ranges::copy(std::array<Index, 3>{other.thing, other.isNegated, other.opinion},
                                  content.begin() + 4);
        } while (splitOf(content) != split);

        const bool countsFirst = joined == Joined::ByAlthough;
        Example example;
        if (joined != Joined::Alone) {
            write(countsFirst ? counts : other, random, example.tokens);
            example.tokens.push_back(joined == Joined::ByAnd   ? m_words.also
                                     : joined == Joined::ByBut ? m_words.but
                                                               : m_words.although);
        }
        write(countsFirst ? other : counts, random, example.tokens);
        example.tokens.push_back(m_words.stop);
        example.answers = {liked};
        return example;
    }

  private:
    /// Draws a clause with the sentiment `liked`: an opinion, or the negation of the opposite one.
    Clause clause(Random &random, Index liked) const {
        Clause clause;
        clause.thing = oneOf(random, m_words.things);
        clause.isNegated = below(random, 2) == 0;
        const Index expressed = clause.isNegated ? 1 - liked : liked;
        clause.opinion = oneOf(random, m_words.opinions[static_cast<std::size_t>(expressed)]);
        return clause;
    }

    void write(const Clause &clause, Random &random, std::vector<Index> &tokens) const {
        append(tokens, {m_words.the, clause.thing, m_words.was});
        if (clause.isNegated)
            tokens.push_back(m_words.negation);
        append(tokens, oneOf(random, m_words.degrees));
        tokens.push_back(clause.opinion);
    }

    SentimentWords m_words;
};

} // namespace

TaskPointer sentimentTask() {
    WordIds ids;
    SentimentWords words;
    words.things = ids.line("film book music food story play song hotel");
    words.opinions[0] = ids.line("bad boring terrible dull awful ugly");
    words.opinions[1] = ids.line("good great wonderful exciting lovely funny");
    words.degrees = ids.lines({"", "", "very", "really"});
    words.the = ids.of("the");
    words.was = ids.of("was");
    words.negation = ids.of("not");
    words.but = ids.of("but");
    words.although = ids.of("although");
    words.also = ids.of("and");
    words.stop = ids.of(".");

    TaskInfo info;
    info.id = "sentiment";
    info.title = "Liked or not?";
    info.description = "“The film was not bad but the music was boring.” “Not” reverses a clause; "
                       "the clause after “but”, or before “although”, decides.";
    info.asks = TargetPositions::Class;
    info.words = ids.words();
    info.classes = {"disliked", "liked"};
    info.length = 2 * 6 + 2;
    info.chance = 0.5;
    info.recipe.task = info.id;
    info.recipe.architecture.feedForward = 0;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.steps = 1500;
    return std::make_shared<const SentimentTask>(std::move(info), std::move(words));
}

} // namespace headlight::core
