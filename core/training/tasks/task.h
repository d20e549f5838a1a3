// A task: makes examples from a seed, and says what a model needs to be able to learn it.
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

/// No example of one split is in the other: what is held out, a run never learns from.
enum class Split { Train, HeldOut };

/// Which answers are asked for.
enum class TargetPositions {
    NextToken,   ///< at a token, for the one after it; the mask is causal
    MaskedToken, ///< at a hidden token, for the one that was there; every token sees all others
    Class,       ///< of a whole text; every token sees all others
    Translation, ///< an encoder reads a source, a decoder writes the target token by token
};

/// Of what the accuracy is a share.
enum class AccuracyUnit {
    Examples, ///< those in which every answer is right
    Answers,  ///< single ones: of a text nobody tells a whole window
};

struct TaskInfo {
    std::string id;      ///< on the command line and in files: "repeat"
    Message title;       ///< "Repeat a random sequence"
    Message description; ///< one or two sentences: what is asked, and why it takes attention
    TargetPositions asks = TargetPositions::NextToken;
    /// An answer stands in the place of its token: it is not the one after it, and nothing is
    /// written on.
    bool answersInPlace = false;
    std::vector<std::string> words{};       ///< of the main stack, by id; the first is kPadToken
    std::vector<std::string> sourceWords{}; ///< of the encoder; empty where there is none
    std::vector<std::string> classes{};     ///< names of the answers, of Asks::Class
    bool readsCharacters = false;           ///< texts are split into characters, and not into words
    Index length = 0;                       ///< T, of the longest example
    Index sourceLength = 0;
    AccuracyUnit counts = AccuracyUnit::Examples;
    /// Accuracy of who guesses blindly, and of who knows all that can be known: of Counts::Answers
    /// nobody knows it, and it is 1.
    double chance = 0;
    double best = 1;
    /// What learns it well: model, optimizer, steps. Its `task` is the id.
    Recipe recipe{};
};

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
