// Tales of two children: "Mia had a big red kite . Tom found a small blue boat . Mia took her kite
// to the lake . … Where was Mia ? At the lake . The end ." Every next word is a target. Some of
// them follow from earlier words by a rule of the grammar: the thing that a child owns, its colour,
// a comparison of sizes, or the place of a child. Other rules determine the pronoun for a name,
// "was" or "were" across a clause, and a list that is copied in order. Only targets with a rule
// count towards the accuracy. tale_words.cpp lists the sentences.
//
// Held out: pairs of a child and a thing, and of a child and a place. In training tales, the two
// words of such a pair never occur together, wherever they are. In held-out tales, each child has a
// held-out thing and, if the child goes anywhere, a held-out place. So a model cannot answer from
// memorised pairs. Chance: guessing a word at random. Best: 1.
#include "core/training/tasks/draw.h"
#include "core/training/tasks/makers.h"
#include "core/training/tasks/tale_words.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>

namespace headlight::core {

namespace {

constexpr Index kMaxTaleWords = 73; ///< including [EOS], which is only a target
constexpr Index kMinListWords = 3;
constexpr Index kMaxListWords = 6;
constexpr Index kMaxGameWords = 28;
constexpr Index kScenes = 10; ///< cases of drawScene()

struct Child {
    /// Indices in the lists of TaleWords.
    Index name = 0, thing = 0, place = 0, size = 0, colour = 0;
};
using Children = std::array<Child, 2>;

/// True if the tale contains no held-out pair of a child and a word.
bool hasNoHeldOutPair(const std::vector<Index> &tokens, const TaleWords &words) {
    const auto has = [&tokens](Index word) { return std::ranges::count(tokens, word) > 0; };
    for (Index name = 0; name < std::ssize(words.names); ++name) {
        if (!has(words.names[static_cast<std::size_t>(name)]))
            continue;
        for (Index i = 0; i < std::ssize(words.things); ++i)
            if (isHeldOutThing(name, i) && has(words.things[static_cast<std::size_t>(i)]))
                return false;
        for (Index i = 0; i < std::ssize(words.places); ++i)
            if (isHeldOutPlace(name, i) && has(words.places[static_cast<std::size_t>(i)]))
                return false;
    }
    return true;
}

class TaleWriter {
  public:
    TaleWriter(const TaleWords &words, Split split, Random &random)
        : m_words(words), m_split(split), m_random(random) {}

    Example write() {
        drawChildren();
        if (below(m_random, 3) == 0) {
            fill(TaleSlot::Weather, {oneOf(m_random, m_words.weathers)});
            add(m_words.weather);
        } else {
            fill(TaleSlot::Opening, oneOf(m_random, m_words.openings));
        }
        if (below(m_random, 3) == 0)
            playGames();
        else
            tellOfThings();
        add(m_words.theEnd);
        m_text.push_back({m_words.end, kLeftOut});
        return example();
    }

  private:
    struct Word {
        Index id = 0;
        Index rule = kLeftOut;
    };

    void tellOfThings() {
        for (Index child = 0; child < 2; ++child)
            introduce(child);
        const bool haveGone = below(m_random, 4) > 0;
        if (haveGone)
            for (Index child = 0; child < 2; ++child) {
                fillChild(child);
                add(m_words.journey);
            }
        addScenes(haveGone);
    }

    /// Adds long word games until no more fit.
    void playGames() {
        fillChild(below(m_random, 2));
        add(m_words.gameOpening);
        fill(TaleSlot::Opening, {});
        const auto drawGame = [this] {
            m_scene = below(m_random, 2) == 0 ? &m_words.game : &m_words.chant;
            return drawList(m_words.anyWord, kMaxGameWords);
        };
        while (drawGame()) {
            add(*m_scene);
            fillChild(below(m_random, 2));
        }
    }

    bool mayMeet(bool isHeldOut) const { return isHeldOut == (m_split == Split::HeldOut); }

    void drawChildren() {
        std::array<Index, 2> names{}, sizes{}, colours{};
        drawDistinct(m_random, 0, std::ssize(m_words.names), names);
        drawDistinct(m_random, 0, std::ssize(m_words.sizes), sizes);
        drawDistinct(m_random, 0, std::ssize(m_words.colours), colours);
        for (std::size_t i = 0; i < 2; ++i) {
            m_children[i].name = names[i];
            m_children[i].size = sizes[i];
            m_children[i].colour = colours[i];
        }
        drawOwn(&Child::thing, m_words.things, isHeldOutThing);
        drawOwn(&Child::place, m_words.places, isHeldOutPlace);
    }

    /// Draws a different thing or place for each child. In training tales, neither forms a held-out
    /// pair with either child.
    void drawOwn(Index Child::*own, const std::vector<Index> &choices,
                 bool (*isHeldOut)(Index, Index)) {
        const bool trains = m_split == Split::Train;
        auto &[first, second] = m_children;
        const auto mayHave = [&](const Child &child, const Child &other) {
            return mayMeet(isHeldOut(child.name, child.*own)) &&
                   (!trains || !isHeldOut(other.name, child.*own));
        };
        do {
            first.*own = below(m_random, std::ssize(choices));
            second.*own = below(m_random, std::ssize(choices));
        } while (first.*own == second.*own || !mayHave(first, second) || !mayHave(second, first));
    }

    void fill(TaleSlot slot, std::vector<Index> words) {
        m_filling[static_cast<std::size_t>(slot)] = std::move(words);
    }

    /// Fills the slots of one child and of the other child.
    void fillChild(Index number) {
        const Child &child = m_children[static_cast<std::size_t>(number)];
        const Child &other = m_children[static_cast<std::size_t>(1 - number)];
        const auto word = [](const std::vector<Index> &words, Index i) {
            return std::vector<Index>{words[static_cast<std::size_t>(i)]};
        };
        const std::size_t boy = child.name < std::ssize(m_words.names) / 2 ? 0 : 1;
        fill(TaleSlot::Name, word(m_words.names, child.name));
        fill(TaleSlot::Other, word(m_words.names, other.name));
        fill(TaleSlot::Thing, word(m_words.things, child.thing));
        fill(TaleSlot::Place, word(m_words.places, child.place));
        fill(TaleSlot::Size, word(m_words.sizes, child.size));
        fill(TaleSlot::Colour, word(m_words.colours, child.colour));
        fill(TaleSlot::She, {m_words.she[boy]});
        fill(TaleSlot::CapitalShe, {m_words.capitalShe[boy]});
        fill(TaleSlot::Her, {m_words.her[boy]});
        const bool isBigger = child.size > other.size;
        fill(TaleSlot::Bigger, {isBigger ? m_words.bigger : m_words.smaller});
    }

    void introduce(Index number) {
        fillChild(number);
        fill(TaleSlot::Got, {oneOf(m_random, m_words.got)});
        add(m_words.introduction);
        fill(TaleSlot::Opening, {});
    }

    /// Adds scenes that fit, in random order.
    void addScenes(bool haveGone) {
        std::array<Index, kScenes> order{};
        drawDistinct(m_random, 0, kScenes, order);
        for (const Index scene : order)
            if (drawScene(scene, haveGone) && hasRoomFor(*m_scene))
                add(*m_scene);
    }

    /// Draws a scene and fills its slots. Returns false if it is not possible in this tale.
    bool drawScene(Index scene, bool haveGone) {
        fillChild(scene < 4 ? scene % 2 : below(m_random, 2)); // scenes 0 to 3: two per child
        switch (scene) {
        case 0:
        case 1:
            m_scene = &m_words.colour;
            return true;
        case 2:
        case 3:
            m_scene = &m_words.where;
            return haveGone;
        case 4:
            m_scene = &m_words.back;
            return haveGone;
        case 5:
            m_scene = &m_words.comparison;
            return true;
        case 6:
            fill(TaleSlot::Laughed, {oneOf(m_random, m_words.laughed)});
            fill(TaleSlot::Liked, {oneOf(m_random, m_words.liked)});
            m_scene = &m_words.because;
            return true;
        case 7:
            drawAgreement();
            return true;
        case 8:
            m_scene = &m_words.list;
            return drawList(m_words.foods, kMaxListWords);
        default:
            m_scene = &m_words.game;
            return drawList(m_words.anyWord, kMaxListWords);
        }
    }

    void drawAgreement() {
        const bool areMany = below(m_random, 2) == 0;
        std::array<Index, 2> nouns{};
        drawDistinct(m_random, 0, std::ssize(m_words.nouns), nouns);
        const auto noun = [this](Index number, bool isPlural) {
            const auto &list = isPlural ? m_words.pluralNouns : m_words.nouns;
            return std::vector<Index>{list[static_cast<std::size_t>(number)]};
        };
        fill(TaleSlot::Noun, noun(nouns[0], areMany));
        fill(TaleSlot::NearNoun, noun(nouns[1], below(m_random, 2) == 0));
        fill(TaleSlot::Was, {areMany ? m_words.were : m_words.was});
        fill(TaleSlot::Adjective, {oneOf(m_random, m_words.adjectives)});
        m_scene = &oneOf(m_random, m_words.agreements);
    }

    /// Draws different words that may occur in this tale. Returns false if there are too few.
    bool drawList(const std::vector<Index> &choices, Index most) {
        for (const TaleSlot slot : {TaleSlot::List, TaleSlot::ListHead, TaleSlot::ListTail})
            fill(slot, {});
        const Index room = (kMaxTaleWords - lengthOf(m_words.theEnd) - 1 - std::ssize(m_text) -
                            lengthOf(*m_scene)) /
                           2;
        if (room < kMinListWords)
            return false;
        const Index length = between(m_random, kMinListWords, std::min(most, room));
        std::vector<Index> list;
        while (std::ssize(list) < length) {
            const Index word = oneOf(m_random, choices);
            if (std::ranges::count(list, word) == 0 && mayOccur(word))
                list.push_back(word);
        }
        if (const Index thing = m_filling[static_cast<std::size_t>(TaleSlot::Thing)].front();
            m_scene != &m_words.list && m_split == Split::HeldOut &&
            std::ranges::count(list, thing) == 0)
            list[static_cast<std::size_t>(below(m_random, length))] = thing;
        fill(TaleSlot::ListHead, {list.front()});
        fill(TaleSlot::ListTail, {list.begin() + 1, list.end()});
        fill(TaleSlot::List, std::move(list));
        return true;
    }

    bool mayOccur(Index word) const {
        if (m_split == Split::HeldOut)
            return true;
        const auto thing = std::ranges::find(m_words.things, word);
        const auto place = std::ranges::find(m_words.places, word);
        return std::ranges::none_of(m_children, [&](const Child &child) {
            return (thing != m_words.things.end() &&
                    isHeldOutThing(child.name, thing - m_words.things.begin())) ||
                   (place != m_words.places.end() &&
                    isHeldOutPlace(child.name, place - m_words.places.begin()));
        });
    }

    Index lengthOf(const TaleSentence &sentence) const {
        Index length = 0;
        for (const TalePiece &piece : sentence)
            length += piece.slot == TaleSlot::Fixed
                          ? 1
                          : std::ssize(m_filling[static_cast<std::size_t>(piece.slot)]);
        return length;
    }

    bool hasRoomFor(const TaleSentence &sentence) const {
        return std::ssize(m_text) + lengthOf(sentence) + lengthOf(m_words.theEnd) + 1 <=
               kMaxTaleWords;
    }

    void add(const TaleSentence &sentence) {
        for (const TalePiece &piece : sentence) {
            if (piece.slot == TaleSlot::Fixed)
                m_text.push_back({piece.word, piece.rule});
            else
                for (const Index word : m_filling[static_cast<std::size_t>(piece.slot)])
                    m_text.push_back({word, piece.rule});
        }
    }

    /// Returns the tale, with each word as the target of the word before it.
    Example example() const {
        Example example;
        for (std::size_t i = 0; i + 1 < m_text.size(); ++i) {
            example.tokens.push_back(m_text[i].id);
            example.answers.push_back(m_text[i + 1].id);
            example.rules.push_back(m_text[i + 1].rule);
        }
        // Checked in every build, because otherwise the accuracy on held-out tales would mean
        // nothing.
        if (m_split != Split::HeldOut && !hasNoHeldOutPair(example.tokens, m_words))
            std::abort();
        return example;
    }

    const TaleWords &m_words;
    Split m_split;
    Random &m_random;
    Children m_children{};
    std::array<std::vector<Index>, kTaleSlots> m_filling{};
    const TaleSentence *m_scene = nullptr; ///< set by drawScene()
    std::vector<Word> m_text{};
};

class TalesTask final : public Task {
  public:
    TalesTask(TaskInfo info, TaleWords words) : Task(std::move(info)), m_words(std::move(words)) {}

    Example example(Split split, Random &random) const override {
        return TaleWriter(m_words, split, random).write();
    }

  private:
    TaleWords m_words;
};

} // namespace

TaskPointer talesTask() {
    TaleWords words = taleWords();
    TaskInfo info;
    info.id = "tales";
    info.title = "Short tales";
    info.description =
        "Tales of two children and their things, written by a small grammar. At each word the "
        "model predicts the next one. If the preceding words determine the next one, the answer "
        "counts: “Mia took her” is followed by the thing that Mia has.";
    info.words = words.words;
    info.rules = words.rules;
    info.length = kMaxTaleWords - 1;
    info.counts = AccuracyUnit::Answers;
    info.chance = 1 / static_cast<double>(info.words.size());
    info.recipe.task = info.id;
    info.recipe.architecture.layers = 3;
    info.recipe.architecture.heads = 4;
    info.recipe.architecture.width = 64;
    info.recipe.architecture.feedForward = 32;
    info.recipe.architecture.positions = Positions::Rotary;
    info.recipe.optimizer.learningRate = 4e-3f;
    info.recipe.optimizer.weightDecay = 0.3f;
    info.recipe.steps = 12'000;
    return std::make_shared<const TalesTask>(std::move(info), std::move(words));
}

} // namespace headlight::core
