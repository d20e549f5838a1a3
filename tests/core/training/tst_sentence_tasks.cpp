// Tasks from small grammars, whose rules are checked independently.
#include "core_test.h"
#include "task_texts.h"

namespace {

using Text = std::vector<std::string>;

std::string sentenceOf(const Text &words) {
    std::string line;
    for (const std::string &word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

bool has(const Text &words, const std::set<std::string> &some) {
    return std::ranges::any_of(words, [&](const std::string &word) { return some.contains(word); });
}

std::string classOf(const Task &task, const Example &example) {
    REQUIRE(example.answers.size() == 1);
    return task.info().classes[static_cast<std::size_t>(example.answers[0])];
}

} // namespace

TEST_CASE("which bank: exactly one sense is determined, and the sentence ends with the bank") {
    const std::set<std::string> river{"fished", "swam",  "rowed",  "dived",  "sailed",
                                      "river",  "muddy", "grassy", "sandy",  "canal",
                                      "boat",   "net",   "fish",   "paddle", "duck"};
    const std::set<std::string> money{"paid",   "invested", "earned",  "borrowed",   "saved",
                                      "money",  "savings",  "central", "investment", "commercial",
                                      "cheque", "coin",     "loan",    "wallet",     "debt"};
    const TaskPointer task = findTask("which-bank");
    std::map<std::string, int> counts;
    std::set<std::string> shared[2]; // words that do not determine the class
    for (const Example &example : manyExamples(*task)) {
        const Text words = wordsOf(example.tokens, task->info().words);
        CAPTURE(sentenceOf(words));
        REQUIRE(words.back() == "bank");
        REQUIRE(has(words, river) != has(words, money));
        const bool isRiver = classOf(*task, example) == "river";
        REQUIRE(has(words, river) == isRiver);
        ++counts[classOf(*task, example)];
        // The origins are exactly the words that determine the answer.
        const auto origins = task->originsOf(example);
        REQUIRE_FALSE(origins.back().empty());
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool tells = river.contains(words[i]) || money.contains(words[i]);
            REQUIRE((std::ranges::count(origins.back(), static_cast<Index>(i)) == 1) == tells);
            if (!tells)
                shared[isRiver].insert(words[i]);
        }
    }
    CHECK(shared[0] == shared[1]);
    CHECK(counts["river"] == doctest::Approx(counts["money"]).epsilon(0.1));
}

TEST_CASE("it: the answer is the noun whose role in the sentence the last word is about") {
    const std::set<std::string> ofWhoActs{"tired", "hungry", "sleepy", "weak",
                                          "lazy",  "ill",    "slow",   "afraid"};
    const TaskPointer task = findTask("it");
    int first = 0, all = 0, creaturesAlone = 0;
    const std::set<std::string> places{"street", "road", "bridge", "square", "park",
                                       "garden", "yard", "field",  "path",   "tunnel"};
    for (const Example &example : manyExamples(*task)) {
        const Text words = wordsOf(example.tokens, task->info().words);
        CAPTURE(sentenceOf(words));
        std::vector<std::size_t> nouns;
        for (std::size_t i = 0; i + 1 < words.size(); ++i)
            if (words[i] == "the")
                nouns.push_back(i + 1);
        REQUIRE(nouns.size() == 2);
        REQUIRE(words[nouns[0]] != words[nouns[1]]);
        const bool isPassive = words[nouns[1] - 2] == "by";
        REQUIRE(std::ranges::count(words, "wasn't") == isPassive);
        REQUIRE(std::ranges::count(words, "didn't") == !isPassive);
        REQUIRE_FALSE(places.contains(words[nouns[isPassive ? 1 : 0]])); // a place cannot act
        const bool meansWhoActs = ofWhoActs.contains(words.back());
        const std::size_t meant = nouns[meansWhoActs == isPassive ? 1 : 0];
        for (std::size_t i = 0; i < words.size(); ++i) {
            REQUIRE(example.answers[i] == (words[i] == "it" ? example.tokens[meant] : kLeftOut));
            REQUIRE(task->originsOf(example)[i] ==
                    (words[i] == "it" ? std::vector<Index>{static_cast<Index>(meant)}
                                      : std::vector<Index>{}));
        }
        ++all;
        first += meant == nouns[0];
        creaturesAlone += !has(words, places);
    }
    // Guessing one of the two nouns, or always the first one, is right half of the time.
    CHECK(first / static_cast<double>(all) == doctest::Approx(task->info().chance).epsilon(0.1));
    CHECK(creaturesAlone > all / 3);
}

TEST_CASE("it: a held-out combination is in no training sentence") {
    const TaskPointer task = findTask("it");
    const auto combination = [&](const Example &example) {
        const Text words = wordsOf(example.tokens, task->info().words);
        Text nouns;
        for (std::size_t i = 0; i + 1 < words.size(); ++i)
            if (words[i] == "the")
                nouns.push_back(words[i + 1]);
        if (has(words, {"wasn't"}))
            std::ranges::reverse(nouns); // so that the acting noun is first
        nouns.push_back(words.back());
        return nouns;
    };
    std::set<Text> learned;
    for (const Example &example : examplesOf(*task, Split::Train, 1, 0, 10000))
        learned.insert(combination(example));
    for (const Example &example : examplesOf(*task, Split::HeldOut, 1, 0, 3000))
        REQUIRE_FALSE(learned.contains(combination(example)));
}

TEST_CASE(
    "sentiment: not reverses its clause, and the clause after but or before although counts") {
    const std::set<std::string> good{"good", "great", "wonderful", "exciting", "lovely", "funny"};
    const std::set<std::string> bad{"bad", "boring", "terrible", "dull", "awful", "ugly"};
    const TaskPointer task = findTask("sentiment");
    std::map<std::string, int> joined, counts;
    for (const Example &example : manyExamples(*task)) {
        Text words = wordsOf(example.tokens, task->info().words);
        CAPTURE(sentenceOf(words));
        REQUIRE(words.back() == ".");
        std::vector<bool> likes; // one entry per clause
        std::string conjunction;
        bool isNegated = false;
        for (const std::string &word : words) {
            if (word == "not")
                isNegated = true;
            if (word == "but" || word == "and" || word == "although")
                conjunction = word;
            if (good.contains(word) || bad.contains(word)) {
                likes.push_back(good.contains(word) != isNegated);
                isNegated = false;
            }
        }
        REQUIRE(likes.size() == (conjunction.empty() ? 1 : 2));
        if (!conjunction.empty())
            REQUIRE((likes[0] == likes[1]) == (conjunction == "and"));
        const bool liked = conjunction == "although" ? likes.front() : likes.back();
        REQUIRE(classOf(*task, example) == (liked ? "liked" : "disliked"));
        ++joined[conjunction];
        ++counts[classOf(*task, example)];
    }
    CHECK(joined.size() == 4);
    CHECK(counts["liked"] == doctest::Approx(counts["disliked"]).epsilon(0.1));
}
