// Samples the next token from logits.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

#include <cstdint>
#include <optional>
#include <span>

namespace headlight::core {

/// Sampling options. The same logits lead to the same tokens on every system.
struct Sampling {
    /// Divisor of the logits before softmax, ≥ 0. 0: greedy, always the token with the largest
    /// logit.
    float temperature = 0;
    /// Only the tokens with the k largest logits are candidates; 0: all tokens.
    Index topK = 0;
    std::uint64_t seed = 0;
    bool operator==(const Sampling &) const = default;
};

/// Errors: the temperature is negative, NaN or infinite, or top-k is negative.
Outcome validate(const Sampling &sampling);

struct ChosenToken {
    Index id = 0;
    float chance = 1; ///< probability with which it was drawn; 1 if greedy
};

/// Chooses the token at position `position` of the text among the ids of `logits`, except `never`.
/// At least one id must remain, and every logit must be finite.
///
/// Greedy: the largest logit, at a tie the lowest id. Otherwise the k largest logits (at a tie,
/// those with the lowest ids) are divided by the temperature and passed to softmax(). u, in [0, 1),
/// is the first number of a generator seeded from the seed and the position. The chosen id is the
/// first whose cumulative probability (in double, in the order of ids) exceeds u times the total.
/// Because u depends on the position and not on earlier draws, generating a text in two parts
/// results in the same text.
ChosenToken chooseToken(std::span<const float> logits, const Sampling &sampling, Index position,
                        std::optional<Index> never = std::nullopt);

} // namespace headlight::core
