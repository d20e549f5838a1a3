// A training example: token ids and targets.
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Marks a token without a target; it counts neither for the loss nor for the accuracy.
inline constexpr Index kLeftOut = -1;

/// One example. Language models have a target per token, classifiers one per example.
struct Example {
    std::vector<Index> tokens;   ///< token ids of the main stack, at least one
    std::vector<Index> source{}; ///< token ids of the encoder; empty if there is none
    /// One target id per token, or kLeftOut. For classifiers, one class.
    std::vector<Index> answers{};
    /// The rule that determines each target (TaskInfo::rules), or kLeftOut. Only determined targets
    /// count for the accuracy; all are learned. Empty: all targets count.
    std::vector<Index> rules{};
    bool operator==(const Example &) const = default;
};

/// True if the token has a target that counts for the accuracy.
inline bool countsAt(const Example &example, std::size_t token) {
    return example.answers[token] != kLeftOut &&
           (example.rules.empty() || example.rules[token] != kLeftOut);
}

} // namespace headlight::core
