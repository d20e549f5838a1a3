// The tales: no run learns from a held-out pair, and the counted words are determined by the words
// before them.
#include "core/training/tasks/batch_of.h"
#include "core/training/tasks/tale_words.h"
#include "core_test.h"
#include "tale_reader.h"
#include "task_texts.h"

namespace {

constexpr Index kTales = 20'000;

using Pair = std::pair<std::string, std::string>;

/// Returns the words of a tale, including the last target.
std::vector<std::string> taleOf(const Example &example, const Task &task) {
    std::vector<Index> ids = example.tokens;
    ids.push_back(example.answers.back());
    return wordsOf(ids, task.info().words);
}

std::string taleLineOf(const std::vector<std::string> &words) {
    std::string line;
    for (const std::string &word : words)
        line += word + " ";
    return line;
}

/// Returns all pairs of a name and another word that occur in one training tale.
std::set<Pair> learnedPairs(const Task &task, const std::set<std::string> &names) {
    std::set<Pair> pairs;
    for (Index first = 0; first < kTales; first += 1000)
        for (const Example &example :
             examplesOf(task, Split::Train, 1, static_cast<std::uint64_t>(first), 1000)) {
            const auto words = taleOf(example, task);
            const std::set<std::string> different(words.begin(), words.end());
            for (const std::string &name : different)
                if (names.contains(name))
                    for (const std::string &word : different)
                        pairs.emplace(name, word);
        }
    return pairs;
}

std::set<std::string> namesOf(const TaleWords &words) {
    std::set<std::string> names;
    for (const Index name : words.names)
        names.insert(words.words[static_cast<std::size_t>(name)]);
    return names;
}

} // namespace

TEST_CASE("no training tale has both words of a held-out pair, and every other pair is learned") {
    const TaskPointer task = findTask("tales");
    const TaleWords words = taleWords();
    const std::set<Pair> learned = learnedPairs(*task, namesOf(words));
    const auto check = [&](const std::vector<Index> &others, bool (*isHeldOut)(Index, Index),
                           Index perName, Index perOther) {
        std::vector<Index> perName_(words.names.size()), perOther_(others.size());
        for (std::size_t name = 0; name < words.names.size(); ++name)
            for (std::size_t other = 0; other < others.size(); ++other) {
                const bool is = isHeldOut(static_cast<Index>(name), static_cast<Index>(other));
                const Pair pair{words.words[static_cast<std::size_t>(words.names[name])],
                                words.words[static_cast<std::size_t>(others[other])]};
                CAPTURE(pair.first);
                CAPTURE(pair.second);
                REQUIRE(learned.contains(pair) == !is);
                perName_[name] += is ? 1 : 0;
                perOther_[other] += is ? 1 : 0;
            }
        CHECK(std::ranges::count(perName_, perName) == std::ssize(perName_));
        CHECK(std::ranges::count(perOther_, perOther) == std::ssize(perOther_));
    };
    check(words.things, isHeldOutThing, 3, 2);
    check(words.places, isHeldOutPlace, 2, 2);
}

TEST_CASE("in a held-out tale, what a child has and where it goes was never trained on") {
    const TaskPointer task = findTask("tales");
    const TaleWords words = taleWords();
    const std::set<std::string> names = namesOf(words);
    const std::set<Pair> learned = learnedPairs(*task, names);
    int owners = 0, places = 0, games = 0;
    for (const Example &example : examplesOf(*task, Split::HeldOut, 0, 0, 3000)) {
        const auto tale = taleOf(example, *task);
        CAPTURE(taleLineOf(tale));
        const TaleReader reader(tale);
        REQUIRE(reader.things().size() == (reader.kinds().contains("games") ? 0 : 2));
        for (const auto &pair : reader.things())
            REQUIRE_FALSE(learned.contains(pair));
        for (const auto &pair : reader.places())
            REQUIRE_FALSE(learned.contains(pair));
        if (reader.things().empty()) { // a word game lists a held-out word
            REQUIRE(std::ranges::any_of(tale, [&](const std::string &name) {
                return names.contains(name) &&
                       std::ranges::any_of(tale, [&](const std::string &word) {
                           return !learned.contains({name, word});
                       });
            }));
            ++games;
        }
        owners += static_cast<int>(reader.things().size());
        places += static_cast<int>(reader.places().size());
    }
    CHECK(owners > 1000);
    CHECK(places > 1000);
    CHECK(games > 500);
}

TEST_CASE("exactly the words that count are determined by the words before them") {
    const TaskPointer task = findTask("tales");
    const std::vector<Message> &rules = task->info().rules;
    std::set<std::string> kinds, used;
    for (const Example &example : manyExamples(*task)) {
        const auto tale = taleOf(example, *task);
        CAPTURE(taleLineOf(tale));
        const TaleReader reader(tale);
        REQUIRE(reader.problem() == "");
        REQUIRE(example.rules.size() == example.answers.size());
        for (std::size_t i = 0; i < example.answers.size(); ++i) {
            CAPTURE(i);
            REQUIRE(example.answers[i] == (i + 1 < example.tokens.size()
                                               ? example.tokens[i + 1]
                                               : std::ssize(task->info().words) - 1));
            const auto found = reader.determined().find(i + 1);
            REQUIRE((example.rules[i] != kLeftOut) == (found != reader.determined().end()));
            REQUIRE(countsAt(example, i) == (found != reader.determined().end()));
            if (found == reader.determined().end())
                continue;
            REQUIRE(found->second.word == tale[i + 1]);
            REQUIRE(rules[static_cast<std::size_t>(example.rules[i])] == found->second.rule);
            used.insert(found->second.rule);
        }
        kinds.insert(reader.kinds().begin(), reader.kinds().end());
    }
    CHECK(used.size() == rules.size());
    CHECK(kinds == std::set<std::string>{"agreement", "back", "because", "chant", "colour",
                                         "comparison", "end", "game", "games", "introduction",
                                         "journey", "list", "weather", "where"});
}

TEST_CASE("equal beginnings are never followed by different words that count") {
    const TaskPointer task = findTask("tales");
    std::map<std::vector<Index>, Index> after;
    for (const Example &example : manyExamples(*task))
        for (std::size_t i = 0; i < example.answers.size(); ++i) {
            if (!countsAt(example, i))
                continue;
            const std::vector<Index> before(example.tokens.begin(),
                                            example.tokens.begin() +
                                                static_cast<std::ptrdiff_t>(i) + 1);
            const auto [found, isNew] = after.emplace(before, example.answers[i]);
            REQUIRE(found->second == example.answers[i]);
        }
}

TEST_CASE("a batch counts only determined targets, and learns all of them") {
    const TaskPointer task = findTask("tales");
    const auto examples = examplesOf(*task, Split::Train, 3, 0, 16);
    TrainingBatch batch;
    fillBatch(examples, task->info(), batch);
    Index asked = 0, counted = 0;
    for (std::size_t b = 0; b < examples.size(); ++b)
        for (std::size_t i = 0; i < static_cast<std::size_t>(task->info().length); ++i) {
            const std::size_t place = b * static_cast<std::size_t>(task->info().length) + i;
            const bool is = i < examples[b].answers.size();
            REQUIRE(batch.answers[place] == (is ? examples[b].answers[i] : kLeftOut));
            REQUIRE(batch.counts[place] == (is && examples[b].rules[i] != kLeftOut));
            asked += is ? 1 : 0;
            counted += batch.counts[place] ? 1 : 0;
        }
    CHECK(batch.asked == asked);
    CHECK(batch.countedTargets() == counted);
    CHECK(counted < asked);
    // A later batch of another task has no rules.
    fillBatch(examplesOf(*findTask("repeat"), Split::Train, 3, 0, 16), findTask("repeat")->info(),
              batch);
    CHECK(batch.counts.empty());
    CHECK(batch.countedTargets() == batch.asked);
}
