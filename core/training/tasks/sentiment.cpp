// "the film was good but the music was not bad .": liked or not? "not" turns its clause round, and
// after "but" comes what counts; before it stands the opposite, after "and" the same. The words
// alone do not say it: one layer finds out what each clause means, the next which of them counts.
//
// Held out: combinations of what is spoken of, the words for it, "not" and "but"; not whether it is
// "very good" or "really good". Chance: one half, both answers are drawn as often. Best: 1.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/held_out.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/word_ids.h"

#include <array>

namespace headlight::core {

namespace {

using Lines = std::vector<std::vector<Index>>;

struct SentimentWords {
    std::vector<Index> things;
    std::vector<Index> opinions[2]; ///< bad ones, good ones
    Lines degrees;
    Index the = 0, was = 0, negation = 0, but = 0, also = 0, stop = 0;
};

enum class Joined { Alone, ByAnd, ByBut };

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
        const auto joined = static_cast<Joined>(below(random, 3));
        Clause first, last;
        std::array<Index, 7> content{};
        do {
            last = clause(random, liked);
            if (joined != Joined::Alone)
                do
                    first = clause(random, joined == Joined::ByBut ? 1 - liked : liked);
                while (first.thing == last.thing);
            content = {static_cast<Index>(joined),
                       first.thing,
                       first.isNegated,
                       first.opinion,
                       last.thing,
                       last.isNegated,
                       last.opinion};
        } while (splitOf(content) != split);

        Example example;
        if (joined != Joined::Alone) {
            write(first, random, example.tokens);
            example.tokens.push_back(joined == Joined::ByBut ? m_words.but : m_words.also);
        }
        write(last, random, example.tokens);
        example.tokens.push_back(m_words.stop);
        example.answers = {liked};
        return example;
    }

  private:
    /// That says `liked` with a word for it, or not the opposite.
    Clause clause(Random &random, Index liked) const {
        Clause clause;
        clause.thing = oneOf(random, m_words.things);
        clause.isNegated = below(random, 2) == 0;
        const Index said = clause.isNegated ? 1 - liked : liked;
        clause.opinion = oneOf(random, m_words.opinions[static_cast<std::size_t>(said)]);
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
    words.also = ids.of("and");
    words.stop = ids.of(".");

    TaskInfo info;
    info.id = "sentiment";
    info.title = "Liked or not?";
    info.description = "“The film was not bad but the music was boring.” Not turns a clause round, "
                       "and what comes after but is what counts.";
    info.asks = Asks::Class;
    info.words = ids.words();
    info.classes = {"disliked", "liked"};
    info.length = 2 * 6 + 2;
    info.chance = 0.5;
    info.recipe.task = info.id;
    info.recipe.optimizer.learningRate = 3e-3f;
    info.recipe.steps = 2000;
    return std::make_shared<const SentimentTask>(std::move(info), std::move(words));
}

} // namespace headlight::core
