// Chooses the next token from one row of the output layer.
#pragma once

#include "core/generation/choose_token.h"
#include "core/transformer/run/output_row.h"

namespace headlight::core {

/// Returns an error if the model cannot generate text because it predicts no tokens, only masked
/// tokens, or a class.
Outcome canWrite(const Model &model);

struct NextToken {
    Index id = 0;
    float probability = 0; ///< the model's probability, regardless of temperature and top-k
    float chance = 1;      ///< probability with which it was drawn
};

/// Chooses the token at position `position` of a text. Never chooses [PAD]. Errors: those of
/// canWrite() (including a vocabulary of only [PAD]) and validate(sampling).
Result<NextToken> nextToken(const Model &model, const OutputRow &row, const Sampling &sampling,
                            Index position);

} // namespace headlight::core
