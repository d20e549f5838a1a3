// A text that shows induction heads in every language model: random tokens, twice (Olsson et al.
// 2022, "In-context Learning and Induction Heads").
#pragma once

#include "core/transformer/model/model.h"

#include <cstdint>

namespace headlight::core {

inline constexpr Index kRepeatedTokens = 24;

/// Returns the ids of random tokens of the vocabulary, drawn by the seed, and then of the same
/// tokens again: 2 × kRepeatedTokens, or fewer if the model has fewer tokens or positions. All
/// tokens of a half are different, and none is a special one. Before them is the model's first
/// token, if its tokenizer adds one. Errors: a model that does not predict the next token of the
/// text itself; one without a numbered vocabulary.
Result<std::vector<Index>> randomRepeats(const Model &model, std::uint64_t seed);

} // namespace headlight::core
