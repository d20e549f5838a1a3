// Tasks about letters, brackets and digits: every answer is computed independently.
#include "core_test.h"
#include "task_texts.h"

namespace {

using Text = std::vector<std::string>;

Text tokensOf(const Task &task, const Example &example) {
    return wordsOf(example.tokens, task.info().words);
}
Text answersOf(const Task &task, const Example &example) {
    return wordsOf(example.answers, task.info().words);
}

/// Checks examples of letters, ":" and the output, both in the tokens and in the targets.
void checkWritten(const char *id, const std::function<Text(Text)> &write) {
    const TaskPointer task = findTask(id);
    REQUIRE(task);
    for (const Example &example : manyExamples(*task)) {
        const Text tokens = tokensOf(*task, example);
        const auto colon = std::ranges::find(tokens, ":");
        REQUIRE(colon != tokens.end());
        const Text written = write(Text(tokens.begin(), colon));
        REQUIRE(Text(colon + 1, tokens.end()) == written);
        Text expected(static_cast<std::size_t>(colon - tokens.begin()), "-");
        expected.insert(expected.end(), written.begin(), written.end());
        expected.push_back("[EOS]");
        REQUIRE(answersOf(*task, example) == expected);
    }
}

} // namespace

TEST_CASE(
    "repeat: the second copy is the first, and its letters are asked for from the second on") {
    const TaskPointer task = findTask("repeat");
    std::set<std::size_t> lengths;
    for (const Example &example : manyExamples(*task)) {
        const Text tokens = tokensOf(*task, example), answers = answersOf(*task, example);
        REQUIRE(tokens.size() % 2 == 1);
        const std::size_t length = (tokens.size() + 1) / 2;
        lengths.insert(length);
        REQUIRE(std::set(tokens.begin(), tokens.begin() + std::ptrdiff_t(length)).size() == length);
        const auto origins = task->originsOf(example);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (i < length) {
                REQUIRE(answers[i] == "-");
                REQUIRE(origins[i].empty());
                continue;
            }
            REQUIRE(tokens[i] == tokens[i - length]);
            REQUIRE(answers[i] == tokens[i - length + 1]);
            REQUIRE(origins[i] == std::vector<Index>{static_cast<Index>(i - length + 1)});
        }
    }
    CHECK(lengths.size() > 5); // lengths vary between examples
}

TEST_CASE("reverse and sort: the output comes after the colon") {
    checkWritten("reverse", [](Text letters) {
        std::ranges::reverse(letters);
        return letters;
    });
    checkWritten("sort", [](Text letters) {
        std::ranges::sort(letters);
        return letters;
    });
}

TEST_CASE("sort: no held-out set of letters is trained on in another order") {
    const TaskPointer task = findTask("sort");
    std::set<std::set<Index>> learned;
    const auto setOf = [](const Example &example) {
        return std::set(example.tokens.begin(), example.tokens.end());
    };
    for (const Example &example : examplesOf(*task, Split::Train, 1, 0, 5000))
        learned.insert(setOf(example));
    for (const Example &example : examplesOf(*task, Split::HeldOut, 1, 0, 5000))
        REQUIRE_FALSE(learned.contains(setOf(example)));
}

TEST_CASE("previous token: each answer is the letter before") {
    const TaskPointer task = findTask("previous-token");
    for (const Example &example : manyExamples(*task)) {
        REQUIRE(example.answers.front() == kLeftOut);
        for (std::size_t i = 1; i < example.tokens.size(); ++i)
            REQUIRE(example.answers[i] == example.tokens[i - 1]);
    }
}

TEST_CASE("brackets: each answer closes the innermost that is open, and at the end none is") {
    const TaskPointer task = findTask("brackets");
    const std::string opening = "([{", closing = ")]}";
    for (const Example &example : manyExamples(*task)) {
        const Text tokens = tokensOf(*task, example), answers = answersOf(*task, example);
        std::string open;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (const auto kind = opening.find(tokens[i]); kind != opening.npos) {
                open += closing[kind];
            } else {
                REQUIRE(std::string(1, open.back()) == tokens[i]);
                open.pop_back();
            }
            const bool closes =
                i + 1 == tokens.size() || closing.find(tokens[i + 1]) != closing.npos;
            REQUIRE(answers[i] == (closes ? std::string(1, open.back()) : "-"));
        }
        REQUIRE(open.size() == 1); // the bracket that the last answer closes
    }
}

TEST_CASE("addition: the digits are those of the sum, with the ones first") {
    const TaskPointer task = findTask("addition");
    std::set<std::pair<int, int>> learned;
    for (const Split split : {Split::Train, Split::HeldOut})
        for (const Example &example : examplesOf(*task, split, 1, 0, 3000)) {
            const Text tokens = tokensOf(*task, example), answers = answersOf(*task, example);
            REQUIRE(tokens.size() == 11);
            const int a = std::stoi(tokens[0] + tokens[1] + tokens[2]);
            const int b = std::stoi(tokens[4] + tokens[5] + tokens[6]);
            REQUIRE(tokens[3] == "+");
            REQUIRE(tokens[7] == "=");
            REQUIRE(std::stoi(answers[10] + answers[9] + answers[8] + answers[7]) == a + b);
            for (std::size_t i = 0; i < 7; ++i)
                REQUIRE(answers[i] == "-");
            for (std::size_t i = 8; i < 11; ++i)
                REQUIRE(tokens[i] == answers[i - 1]);
            const auto pair = std::minmax(a, b);
            if (split == Split::Train)
                learned.insert(pair);
            else // a held-out pair never occurs in training, in either order
                REQUIRE_FALSE(learned.contains(pair));
        }
}

TEST_CASE("chance is the accuracy of guessing among all possible answers") {
    for (const TaskPointer &task : allTasks()) {
        CAPTURE(task->info().id);
        if (task->info().id == "it")
            continue; // half of its answers can be guessed: see tst_sentence_tasks
        const std::vector<Example> examples = manyExamples(*task);
        std::set<Index> all;
        for (const Example &example : examples)
            all.insert(example.answers.begin(), example.answers.end());
        all.erase(kLeftOut);
        double right = 0;
        for (const Example &example : examples)
            right += std::pow(1.0 / static_cast<double>(all.size()),
                              static_cast<double>(std::ranges::count_if(
                                  example.answers, [](Index id) { return id != kLeftOut; })));
        CHECK(right / static_cast<double>(examples.size()) ==
              doctest::Approx(task->info().chance).epsilon(0.15));
    }
}
