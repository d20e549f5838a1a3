#include "core/training/tasks/makers.h"

#include <algorithm>

namespace headlight::core {

std::vector<std::vector<Index>> Task::originsOf(const Example &example) const {
    return std::vector<std::vector<Index>>(example.tokens.size());
}

const std::vector<TaskPointer> &allTasks() {
    static const std::vector<TaskPointer> tasks{
        repeatTask(),    reverseTask(),   sortTask(), previousTokenTask(),
        bracketsTask(),  whichBankTask(), itTask(),   numberWordsTask(),
        sentimentTask(), additionTask(),  talesTask()};
    return tasks;
}

TaskPointer findTask(std::string_view id) {
    const auto &tasks = allTasks();
    const auto found = std::ranges::find_if(
        tasks, [id](const TaskPointer &task) { return task->info().id == id; });
    return found == tasks.end() ? nullptr : *found;
}

std::vector<Example> examplesOf(const Task &task, Split split, std::uint64_t seed,
                                std::uint64_t first, Index count) {
    const std::uint64_t from = seedFor(seed, split == Split::Train ? "train" : "held out");
    std::vector<Example> examples;
    examples.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = first; i < first + static_cast<std::uint64_t>(count); ++i) {
        // Hash the seed; otherwise consecutive examples would share a shifted random sequence.
        Random random(Random(from + i).next());
        examples.push_back(task.example(split, random));
    }
    return examples;
}

} // namespace headlight::core
