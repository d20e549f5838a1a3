// The words that a model holds for most probable at a place.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>
#include <vector>

namespace headlight::core {

struct TopToken {
    Index word = 0; ///< its number in the vocabulary
    float probability = 0;
};

/// The most probable of all words, the first ones first; of those that are equally probable the one
/// with the lowest number.
std::vector<TopToken> likeliestOf(std::span<const float> probabilities, std::size_t count);

/// The most probable words to stand at the token's place, the first ones first; none where the
/// model makes no probabilities.
std::vector<TopToken> topTokens(const Trace &trace, Index sequence, Index token, std::size_t count);

} // namespace headlight::core
