// Measures a trained model on the held-out examples of its task: the accuracy for each rule,
// compared with a bigram model, and the purpose of its heads.
#pragma once

#include "core/training/run/history.h"
#include "core/training/tasks/task.h"

#include <optional>
#include <stop_token>

namespace headlight::core {

struct Recipe;

struct RuleAccuracy {
    Message rule;      ///< TaskInfo::rules
    Index answers = 0; ///< number of answers that the rule determines
    double accuracy = 0;
    std::optional<double> bigram{}; ///< accuracy of the bigram model
};

/// A head of a decoder: its measures on random repeated tokens, and the loss and accuracy of the
/// model without it.
struct MeasuredHead {
    AttentionId attention{};
    Index head = 0;
    std::optional<double> previousToken{}; ///< HeadMeasures::previousToken
    std::optional<double> induction{};     ///< HeadMeasures::induction
    double silencedLoss = 0;               ///< held-out loss with the head's output set to zero
    double silencedAccuracy = 0;           ///< accuracy of counted answers without the head
};

struct TaskMeasurement {
    Index examples = 0;
    Index answers = 0; ///< number of answers that count
    HeldOut heldOut{};
    std::optional<double> bigram{}; ///< accuracy of the bigram model; next-token tasks only
    std::vector<RuleAccuracy> rules{};
    std::vector<MeasuredHead> heads{}; ///< only for next tokens
};

/// Number of training examples in which the bigram model counts tokens.
inline constexpr Index kBigramExamples = 20'000;
/// Number of distinct random tokens in a text that repeats them once. Smaller if such a text would
/// be longer than the task's longest example.
inline constexpr Index kRepeatedTokens = 24;
/// Number of texts with random repeated tokens.
inline constexpr Index kRepeatedTexts = 32;

/// Measures the first `examples` held-out examples. The bigram model predicts the next token that
/// is most frequent in the training examples of seed 1. Random repeated tokens are drawn from the
/// vocabulary, except special tokens such as [PAD]. Errors: as forward(); "cancelled".
Result<TaskMeasurement> measureTask(const Task &task, const Model &model, const Recipe &recipe,
                                    Index examples, const std::stop_token &stop = {});

} // namespace headlight::core
