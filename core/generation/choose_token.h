// Which word comes next, of those that a model gives logits.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>
#include <optional>
#include <span>

namespace headlight::core {

/// How a word is chosen. With the same logits, the same words are chosen on every system.
struct Sampling {
    /// Logits are divided by it before softmax; ≥ 0. 0: greedy, the word with the largest logit.
    float temperature = 0;
    /// Only the words with the k largest logits may be chosen; 0: every word may.
    Index topK = 0;
    std::uint64_t seed = 0;
    bool operator==(const Sampling &) const = default;
};

/// A temperature that is no finite number from 0 on, or a negative top-k, is an error.
Outcome validate(const Sampling &sampling);

struct ChosenToken {
    Index id = 0;
    float chance = 1; ///< with which it was drawn; 1 where nothing is drawn
};

/// The word for place `position` of the text: one of the ids of `logits` but `never`, which are at
/// least one; every logit is finite.
///
/// Greedy: of the largest logits the one with the lowest id. Else the k largest, of equal ones
/// those with the lowest ids first, are divided by the temperature, and softmax() makes chances of
/// them; u, in [0, 1), is the first number of the generator that seed and position make. The chosen
/// id is the first at which the sum of the chances, in double and in the order of the ids, is more
/// than u times the sum of all. The position makes the number, not how many were drawn before: a
/// text that is generated in two parts is the text that is generated at once.
ChosenToken chooseToken(std::span<const float> logits, const Sampling &sampling, Index position,
                        std::optional<Index> never = std::nullopt);

} // namespace headlight::core
