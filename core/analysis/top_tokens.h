// The most probable tokens at a position.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>
#include <vector>

namespace headlight::core {

struct TopToken {
    Index word = 0; ///< index in the vocabulary
    float probability = 0;
};

/// Returns the `count` most probable tokens, sorted by decreasing probability, then by index.
std::vector<TopToken> likeliestOf(std::span<const float> probabilities, std::size_t count);

/// Returns the most probable tokens at a position. Empty if the trace has no probabilities.
std::vector<TopToken> topTokens(const Trace &trace, Index sequence, Index token, std::size_t count);

} // namespace headlight::core
