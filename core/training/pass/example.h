// A training example: token ids and targets.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Marks a token without a target, which counts towards neither the loss nor the accuracy.
inline constexpr Index kLeftOut = -1;

/// An example has one target per token for language models, and a single one for classifiers.
struct Example {
    std::vector<Index> tokens;   ///< token ids of the main stack, at least one
    std::vector<Index> source{}; ///< token ids of the encoder; empty if there is none
    /// One target id per token, or kLeftOut. For classifiers, one class only.
    std::vector<Index> answers{};
    /// The rule that determines each target (an index in TaskInfo::rules), or kLeftOut. The loss
    /// covers all targets, but the accuracy only those with a rule. Empty: the accuracy covers all
    /// targets, too.
    std::vector<Index> rules{};
    bool operator==(const Example &) const = default;
};

/// True if the token has a target that counts towards the accuracy.
inline bool countsAt(const Example &example, std::size_t token) {
    return example.answers[token] != kLeftOut &&
           (example.rules.empty() || example.rules[token] != kLeftOut);
}

} // namespace headlight::core
