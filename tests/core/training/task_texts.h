// Draws many examples of a task, and converts token ids to words.
#pragma once

#include "core/training/tasks/task.h"

#include <string>
#include <vector>

namespace headlight::core::test {

inline constexpr Index kManyDraws = 2000;

inline std::vector<std::string> wordsOf(const std::vector<Index> &ids,
                                        const std::vector<std::string> &vocabulary) {
    std::vector<std::string> words;
    for (const Index id : ids)
        words.push_back(id == kLeftOut ? "-" : vocabulary[static_cast<std::size_t>(id)]);
    return words;
}

/// Returns examples of both splits.
inline std::vector<Example> manyExamples(const Task &task) {
    std::vector<Example> examples = examplesOf(task, Split::Train, 5, 0, kManyDraws);
    for (Example &example : examplesOf(task, Split::HeldOut, 5, 0, kManyDraws))
        examples.push_back(std::move(example));
    return examples;
}

} // namespace headlight::core::test
