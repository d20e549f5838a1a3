// A training task: creates examples from a seed, and describes the model that can learn the task.
#pragma once

#include "core/random.h"
#include "core/training/pass/example.h"
#include "core/training/recipe/task_info.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The splits are disjoint, so training never uses a held-out example.
enum class Split { Train, HeldOut };

/// A task. Immutable and thread-safe.
class Task {
  public:
    explicit Task(TaskInfo info) : m_info(std::move(info)) {}
    virtual ~Task() = default;
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;

    const TaskInfo &info() const { return m_info; }
    /// Draws an example of the split. Equal states of `random` result in equal examples on every
    /// system.
    virtual Example example(Split split, Random &random) const = 0;
    /// For each token, returns the positions that its answer depends on, in the source if there is
    /// one. Empty for tokens without a target or with unknown origins.
    virtual std::vector<std::vector<Index>> originsOf(const Example &example) const;

  private:
    TaskInfo m_info;
};

using TaskPointer = std::shared_ptr<const Task>;

/// Returns the examples `first`, `first` + 1, … of the split. Each depends only on the seed, split
/// and number, so resumed runs use the same examples.
std::vector<Example> examplesOf(const Task &task, Split split, std::uint64_t seed,
                                std::uint64_t first, Index count);

/// Returns all tasks in display order, except tasks on the user's own text.
const std::vector<TaskPointer> &allTasks();
/// Returns null if no task has this id.
TaskPointer findTask(std::string_view id);

} // namespace headlight::core
