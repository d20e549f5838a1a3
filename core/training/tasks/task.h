// A task: makes examples from a seed, and says what a model needs to be able to learn it.
#pragma once

#include "core/random.h"
#include "core/training/pass/example.h"
#include "core/training/recipe/task_info.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// No example of one split is in the other: what is held out, a run never learns from.
enum class Split { Train, HeldOut };

/// Immutable; safe to use from several threads.
class Task {
  public:
    explicit Task(TaskInfo info) : m_info(std::move(info)) {}
    virtual ~Task() = default;
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;

    const TaskInfo &info() const { return m_info; }
    /// An example of the split, drawn with `random`: the same state gives the same example on every
    /// system.
    virtual Example example(Split split, Random &random) const = 0;
    /// Where an attentive model would look: for each token the keys (of the source, where there is
    /// one) that its answer is from. Empty where nothing is asked, or nothing can be said.
    virtual std::vector<std::vector<Index>> originsOf(const Example &example) const;

  private:
    TaskInfo m_info;
};

using TaskPointer = std::shared_ptr<const Task>;

/// The examples of a batch: number `first`, `first` + 1, … of the split, each by itself a function
/// of seed, split and number. So a run that is continued sees what it would have seen.
std::vector<Example> examplesOf(const Task &task, Split split, std::uint64_t seed,
                                std::uint64_t first, Index count);

/// All of them, in the order in which they are listed; without that of a person's own text.
const std::vector<TaskPointer> &allTasks();
/// Null: there is none of this id.
TaskPointer findTask(std::string_view id);

} // namespace headlight::core
