// A text that reveals induction heads in any language model: random tokens, then the same tokens
// again (Olsson et al. 2022, "In-context Learning and Induction Heads").
#pragma once

#include "core/transformer/model/model.h"

#include <cstdint>

namespace headlight::core {

inline constexpr Index kRepeatedTokens = 24;

/// Returns the ids of random tokens of the vocabulary, followed by the same ids again: 2 ×
/// kRepeatedTokens, or fewer if the model has fewer tokens or positions. The tokens of each half
/// are distinct, and none is special. The model's first token precedes them if its tokenizer adds
/// one. Errors: the model does not predict the next token of its own input, or has no vocabulary
/// with ids.
Result<std::vector<Index>> randomRepeats(const Model &model, std::uint64_t seed);

} // namespace headlight::core
