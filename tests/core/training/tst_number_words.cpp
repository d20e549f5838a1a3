// French numbers compared with an independent list, and the source of each word.
#include "core/training/tasks/number_words.h"
#include "core_test.h"
#include "task_texts.h"

namespace {

std::string lineOf(const std::vector<std::string> &words) {
    std::string line;
    for (const std::string &word : words)
        line += (line.empty() ? "" : " ") + word;
    return line;
}

/// Written by hand from a grammar (Grevisse, Le bon usage, § 575 to 577), with spaces instead of
/// hyphens.
const std::pair<Index, const char *> kFrench[] = {{0, "zéro"},
                                                  {16, "seize"},
                                                  {17, "dix sept"},
                                                  {21, "vingt et un"},
                                                  {22, "vingt deux"},
                                                  {60, "soixante"},
                                                  {70, "soixante dix"},
                                                  {71, "soixante et onze"},
                                                  {77, "soixante dix sept"},
                                                  {80, "quatre vingts"},
                                                  {81, "quatre vingt un"},
                                                  {89, "quatre vingt neuf"},
                                                  {90, "quatre vingt dix"},
                                                  {91, "quatre vingt onze"},
                                                  {99, "quatre vingt dix neuf"},
                                                  {100, "cent"},
                                                  {101, "cent un"},
                                                  {180, "cent quatre vingts"},
                                                  {181, "cent quatre vingt un"},
                                                  {200, "deux cents"},
                                                  {201, "deux cent un"},
                                                  {271, "deux cent soixante et onze"},
                                                  {280, "deux cent quatre vingts"},
                                                  {777, "sept cent soixante dix sept"},
                                                  {999, "neuf cent quatre vingt dix neuf"}};

/// Returns the value of French words, computed from each word's value instead of the rules under
/// test.
Index valueOf(const std::vector<std::string> &words) {
    static const std::map<std::string, Index> kWorth{
        {"zéro", 0},      {"un", 1},         {"deux", 2},     {"trois", 3},   {"quatre", 4},
        {"cinq", 5},      {"six", 6},        {"sept", 7},     {"huit", 8},    {"neuf", 9},
        {"dix", 10},      {"onze", 11},      {"douze", 12},   {"treize", 13}, {"quatorze", 14},
        {"quinze", 15},   {"seize", 16},     {"vingt", 20},   {"vingts", 20}, {"trente", 30},
        {"quarante", 40}, {"cinquante", 50}, {"soixante", 60}};
    Index sum = 0, hundreds = 0;
    for (const std::string &word : words) {
        if (word == "et")
            continue;
        if (word == "cent" || word == "cents") {
            hundreds = 100 * std::max<Index>(sum, 1);
            sum = 0;
        } else if (const Index worth = kWorth.at(word); worth == 20 && sum == 4) {
            sum = 80;
        } else {
            sum += worth;
        }
    }
    return hundreds + sum;
}

} // namespace

TEST_CASE("French numbers are written as the grammar says") {
    for (const auto &[number, text] : kFrench)
        CHECK(lineOf(frenchNumber(number)) == text);
}

TEST_CASE("all thousand numbers have the right value, and no two are equal") {
    std::set<std::string> all;
    for (Index number = 0; number < 1000; ++number) {
        const auto words = frenchNumber(number);
        CAPTURE(lineOf(words));
        REQUIRE(valueOf(words) == number);
        REQUIRE(all.insert(lineOf(words)).second);
        // Multiples of twenty and a hundred have an s only at the end of the number.
        REQUIRE((words.back() == "vingts") == (number % 100 == 80));
        REQUIRE((words.back() == "cents") == (number >= 200 && number % 100 == 0));
        REQUIRE(std::ranges::count(words, "vingts") + std::ranges::count(words, "cents") <= 1);
        const Index two = number % 100;
        const bool hasEt = two == 71 || (two % 10 == 1 && two > 20 && two < 70);
        REQUIRE(std::ranges::count(words, "et") == (hasEt ? 1 : 0));
    }
}

TEST_CASE("English numbers") {
    CHECK(lineOf(englishNumber(0)) == "zero");
    CHECK(lineOf(englishNumber(13)) == "thirteen");
    CHECK(lineOf(englishNumber(40)) == "forty");
    CHECK(lineOf(englishNumber(99)) == "ninety nine");
    CHECK(lineOf(englishNumber(100)) == "one hundred");
    CHECK(lineOf(englishNumber(215)) == "two hundred fifteen");
    CHECK(lineOf(englishNumber(870)) == "eight hundred seventy");
    std::set<std::string> all;
    for (Index number = 0; number < 1000; ++number)
        CHECK(all.insert(lineOf(englishNumber(number))).second);
}

TEST_CASE("the task's examples are these numbers, and each word has its source") {
    const TaskPointer task = findTask("number-words");
    std::map<std::string, Index> numbers;
    for (Index number = 0; number < 1000; ++number)
        numbers[lineOf(englishNumber(number))] = number;
    std::set<Index> seen;
    for (const Example &example : manyExamples(*task)) {
        const auto english = wordsOf(example.source, task->info().sourceWords);
        const Index number = numbers.at(lineOf(english));
        seen.insert(number);
        auto french = frenchNumber(number);
        auto answers = wordsOf(example.answers, task->info().words);
        REQUIRE(answers.back() == "[EOS]");
        answers.pop_back();
        REQUIRE(answers == french);
        french.insert(french.begin(), ":");
        REQUIRE(wordsOf(example.tokens, task->info().words) == french);
        const auto origins = task->originsOf(example);
        REQUIRE(origins.size() == example.tokens.size());
        REQUIRE(origins.back().empty());
        for (std::size_t i = 0; i + 1 < origins.size(); ++i) {
            REQUIRE_FALSE(origins[i].empty());
            for (const Index source : origins[i])
                REQUIRE(source < std::ssize(example.source));
        }
    }
    CHECK(seen.size() > 700);
}

TEST_CASE("the sources of some words") {
    const TaskPointer task = findTask("number-words");
    using Origins = std::vector<std::vector<Index>>;
    const auto examples = examplesOf(*task, Split::Train, 1, 0, 20000); // all examples
    const auto originsOf = [&](Index number) -> Origins {
        const auto english = englishNumber(number);
        for (const Example &example : examples)
            if (wordsOf(example.source, task->info().sourceWords) == english)
                return task->originsOf(example);
        return {};
    };
    CHECK(originsOf(99) == Origins{{0}, {0}, {0, 1}, {0, 1}, {}});
    CHECK(originsOf(42) == Origins{{0}, {1}, {}});
    CHECK(originsOf(61) == Origins{{0}, {0, 1}, {1}, {}});
    CHECK(originsOf(17) == Origins{{0}, {0}, {}});
    CHECK(originsOf(80) == Origins{{0}, {0}, {}});
    CHECK(originsOf(100) == Origins{{0, 1}, {}});
}

TEST_CASE("numbers above 100 are held out, about one in eight") {
    const TaskPointer task = findTask("number-words");
    std::set<std::vector<Index>> heldOut;
    for (const Example &example : examplesOf(*task, Split::HeldOut, 1, 0, 5000))
        heldOut.insert(example.source);
    CHECK(heldOut.size() > 80);
    CHECK(heldOut.size() < 150);
    const auto &words = task->info().sourceWords;
    for (const auto &source : heldOut) {
        const auto english = wordsOf(source, words);
        CHECK(std::ranges::count(english, "hundred") == 1);
        CHECK(lineOf(english) != "one hundred");
    }
}
