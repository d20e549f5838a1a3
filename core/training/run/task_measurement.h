// Measures a trained model on the held-out examples of its task: the accuracy of each rule, a
// bigram model beside it, and what its heads are for.
#pragma once

#include "core/training/run/history.h"
#include "core/training/tasks/task.h"

#include <optional>
#include <stop_token>

namespace headlight::core {

struct Recipe;

struct RuleAccuracy {
    Message rule;      ///< TaskInfo::rules
    Index answers = 0; ///< number of answers that it determines
    double accuracy = 0;
    std::optional<double> bigram{}; ///< accuracy of the bigram model
};

/// A head of a decoder, on random repeated tokens, and what the model loses without it.
struct MeasuredHead {
    AttentionId attention{};
    Index head = 0;
    std::optional<double> previousToken{}; ///< HeadMeasures::previousToken
    std::optional<double> induction{};     ///< HeadMeasures::induction
    double silencedLoss = 0;               ///< held-out loss with the head's output set to zero
    double silencedAccuracy = 0;           ///< accuracy of answers that count, likewise
};

struct TaskMeasurement {
    Index examples = 0;
    Index answers = 0; ///< number of answers that count
    HeldOut heldOut{};
    std::optional<double> bigram{}; ///< accuracy of the bigram model; only for next tokens
    std::vector<RuleAccuracy> rules{};
    std::vector<MeasuredHead> heads{}; ///< only for next tokens
};

/// Number of training examples that the bigram model counts.
inline constexpr Index kBigramExamples = 20'000;
/// Random repeated tokens: this many distinct tokens, twice; fewer if the task is shorter.
inline constexpr Index kRepeatedTokens = 24;
/// Number of such texts.
inline constexpr Index kRepeatedTexts = 32;

/// Measures the first `examples` held-out examples. The bigram model predicts the most frequent
/// next token in the training examples of seed 1. Random repeated tokens are drawn from the words
/// without special tokens such as [PAD]. Errors: as forward(); "cancelled".
Result<TaskMeasurement> measureTask(const Task &task, const Model &model, const Recipe &recipe,
                                    Index examples, const std::stop_token &stop = {});

} // namespace headlight::core
