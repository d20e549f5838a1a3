// A training task: creates examples from a seed and describes the model that can learn it.
#pragma once

#include "core/message.h"
#include "core/random.h"
#include "core/training/recipe/recipe.h"
#include "core/training/tasks/example.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace headlight::core {

/// The splits are disjoint. Training never sees a held-out example.
enum class Split { Train, HeldOut };

/// The tokens that have targets.
enum class TargetPositions {
    NextToken,   ///< the next token; causal mask
    MaskedToken, ///< the original of a masked token; every token sees all others
    Class,       ///< one class per text; every token sees all others
    Translation, ///< an encoder reads the source, a decoder writes the target
};

/// The unit that accuracy counts: answers or whole examples.
enum class AccuracyUnit {
    Examples, ///< examples with all answers right
    Answers,  ///< single answers, for tasks whose examples are never all right
};

struct TaskInfo {
    std::string id;      ///< used on the command line and in files: "repeat"
    Message title;       ///< "Repeat a random sequence"
    Message description; ///< one or two sentences: the target, and why it needs attention
    TargetPositions asks = TargetPositions::NextToken;
    /// True if the answer belongs to its own token, so it is not the next one and generation makes
    /// no sense.
    bool answersInPlace = false;
    /// Vocabulary of the main stack, by id; the first word is kPadToken.
    std::vector<std::string> words{};
    std::vector<std::string> sourceWords{}; ///< vocabulary of the encoder; empty if there is none
    std::vector<std::string> classes{};     ///< class names, for TargetPositions::Class
    bool readsCharacters = false;           ///< splits texts into characters instead of words
    Index length = 0;                       ///< T, length of the longest example
    Index sourceLength = 0;
    AccuracyUnit counts = AccuracyUnit::Examples;
    /// Accuracy of random guesses, and the best possible accuracy. The latter is unknown for
    /// AccuracyUnit::Answers, so 1.
    double chance = 0;
    double best = 1;
    /// The default recipe, which learns the task well. Its `task` is the id.
    Recipe recipe{};
};

/// A task. Immutable and thread-safe.
class Task {
  public:
    explicit Task(TaskInfo info) : m_info(std::move(info)) {}
    virtual ~Task() = default;
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;

    const TaskInfo &info() const { return m_info; }
    /// Draws an example of the split. The same state of `random` gives the same example on every
    /// system.
    virtual Example example(Split split, Random &random) const = 0;
    /// Returns the keys that the answer at each token depends on, in the source if there is one.
    /// Empty for tokens without a target or with unknown origins.
    virtual std::vector<std::vector<Index>> originsOf(const Example &example) const;

  private:
    TaskInfo m_info;
};

using TaskPointer = std::shared_ptr<const Task>;

/// Returns examples `first`, `first` + 1, … of the split. Each depends only on seed, split and
/// number, so resumed runs see the same examples.
std::vector<Example> examplesOf(const Task &task, Split split, std::uint64_t seed,
                                std::uint64_t first, Index count);

/// Returns all tasks in display order, except those on the user's own text.
const std::vector<TaskPointer> &allTasks();
/// Returns null if no task has this id.
TaskPointer findTask(std::string_view id);

} // namespace headlight::core
