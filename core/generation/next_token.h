// The next token from one row of the output layer.
#pragma once

#include "core/generation/choose_token.h"
#include "core/transformer/run/output_row.h"

namespace headlight::core {

/// Returns an error if the model cannot generate text: it predicts no tokens, only masked ones, or
/// a class.
Outcome canWrite(const Model &model);

struct NextToken {
    Index id = 0;
    float probability = 0; ///< the model's, regardless of temperature and top-k
    float chance = 1;      ///< probability of the draw
};

/// Chooses the token for position `position` of a text; never [PAD]. Errors: those of canWrite()
/// (including a vocabulary of only [PAD]) and validate(sampling).
Result<NextToken> nextToken(const Model &model, const OutputRow &row, const Sampling &sampling,
                            Index position);

} // namespace headlight::core
