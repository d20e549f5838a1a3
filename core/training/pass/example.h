// A training example: token ids and targets.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Marks a token without a target, which counts neither for the loss nor for the accuracy.
inline constexpr Index kLeftOut = -1;

/// One example. For language models it has a target per token, for classifiers a single one.
struct Example {
    std::vector<Index> tokens;   ///< token ids of the main stack, at least one
    std::vector<Index> source{}; ///< token ids of the encoder; empty if there is none
    /// One target id per token, or kLeftOut. For classifiers, one class only.
    std::vector<Index> answers{};
    /// The rule that determines each target (an index in TaskInfo::rules), or kLeftOut. The loss
    /// covers all targets, the accuracy only those with a rule. Empty: all targets count for the
    /// accuracy.
    std::vector<Index> rules{};
    bool operator==(const Example &) const = default;
};

/// True if the token has a target that counts for the accuracy.
inline bool countsAt(const Example &example, std::size_t token) {
    return example.answers[token] != kLeftOut &&
           (example.rules.empty() || example.rules[token] != kLeftOut);
}

} // namespace headlight::core
