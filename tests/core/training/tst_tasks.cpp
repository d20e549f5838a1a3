// Properties of every task. The rules of each task are checked in separate files.
#include "core/tokenizers/word_tokenizer.h"
#include "core/training/tasks/task.h"
#include "core_test.h"

namespace {

constexpr Index kDraws = 3000;

bool asksOnce(const Task &task) {
    return task.info().asks == TargetPositions::Class;
}

/// All tokens that a model reads or predicts in an example.
using Content = std::tuple<std::vector<Index>, std::vector<Index>, std::vector<Index>>;
std::set<Content> contentsOf(const Task &task, Split split) {
    std::set<Content> contents;
    for (const Example &example : examplesOf(task, split, 7, 0, kDraws))
        contents.emplace(example.tokens, example.source, example.answers);
    return contents;
}

} // namespace

TEST_CASE("every task is found by its id, and has all descriptions") {
    std::set<std::string> ids;
    for (const TaskPointer &task : allTasks()) {
        const TaskInfo &info = task->info();
        CAPTURE(info.id);
        CHECK(ids.insert(info.id).second);
        CHECK(findTask(info.id) == task);
        CHECK_FALSE(info.title.empty());
        CHECK_FALSE(info.description.empty());
        CHECK(info.recipe.task == info.id);
        CHECK(validate(info.recipe).ok());
        CHECK(info.chance >= 0);
        CHECK(info.chance < info.best);
        CHECK(info.best <= 1);
        CHECK(info.words.front() == kPadToken);
        CHECK(std::set(info.words.begin(), info.words.end()).size() == info.words.size());
        CHECK((info.asks == TargetPositions::Translation) == !info.sourceWords.empty());
        CHECK((info.asks == TargetPositions::Translation) == (info.sourceLength > 0));
        CHECK((info.asks == TargetPositions::Class) == !info.classes.empty());
    }
    CHECK(findTask("no such task") == nullptr);
}

TEST_CASE("ids are those of words, lengths are within bounds, and there is a target") {
    for (const TaskPointer &task : allTasks())
        for (const Split split : {Split::Train, Split::HeldOut}) {
            const TaskInfo &info = task->info();
            CAPTURE(info.id);
            const auto isWord = [](Index id, const std::vector<std::string> &words) {
                return id > 0 && id < std::ssize(words); // never padding
            };
            bool isLongest = false, isLongestSource = info.sourceLength == 0;
            for (const Example &example : examplesOf(*task, split, 3, 0, kDraws)) {
                REQUIRE(!example.tokens.empty());
                REQUIRE(std::ssize(example.tokens) <= info.length);
                REQUIRE(std::ssize(example.source) <= info.sourceLength);
                REQUIRE(example.source.empty() == (info.asks != TargetPositions::Translation));
                isLongest |= std::ssize(example.tokens) == info.length;
                isLongestSource |= std::ssize(example.source) == info.sourceLength;
                for (const Index id : example.tokens)
                    REQUIRE(isWord(id, info.words));
                for (const Index id : example.source)
                    REQUIRE(isWord(id, info.sourceWords));
                REQUIRE(example.answers.size() == (asksOnce(*task) ? 1 : example.tokens.size()));
                Index asked = 0;
                for (const Index answer : example.answers) {
                    if (answer == kLeftOut)
                        continue;
                    ++asked;
                    REQUIRE((asksOnce(*task) ? answer >= 0 && answer < std::ssize(info.classes)
                                             : isWord(answer, info.words)));
                }
                REQUIRE(asked > 0);
            }
            CHECK(isLongest); // otherwise the last position would never be trained
            CHECK(isLongestSource);
        }
}

TEST_CASE("no held-out example is ever trained on") {
    for (const TaskPointer &task : allTasks()) {
        CAPTURE(task->info().id);
        const std::set<Content> learned = contentsOf(*task, Split::Train);
        const std::set<Content> heldOut = contentsOf(*task, Split::HeldOut);
        CHECK(heldOut.size() > 50);
        CHECK(learned.size() > 200);
        std::vector<Content> both;
        std::ranges::set_intersection(learned, heldOut, std::back_inserter(both));
        CHECK(both.empty());
    }
}

TEST_CASE("an example is a function of seed, split and number") {
    for (const TaskPointer &task : allTasks()) {
        CAPTURE(task->info().id);
        const auto whole = examplesOf(*task, Split::Train, 11, 40, 20);
        const auto second = examplesOf(*task, Split::Train, 11, 50, 10);
        CHECK(std::equal(second.begin(), second.end(), whole.begin() + 10));
        CHECK(examplesOf(*task, Split::Train, 12, 40, 20) != whole);
        CHECK(examplesOf(*task, Split::HeldOut, 11, 40, 20) != whole);
    }
}
