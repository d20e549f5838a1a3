// What a model writes next, of one row of its output layer.
#pragma once

#include "core/generation/choose_token.h"
#include "core/transformer/run/output_row.h"

namespace headlight::core {

/// Why the model writes nothing: it predicts no words, hidden ones, or a class.
Outcome canWrite(const Model &model);

struct NextToken {
    Index id = 0;
    float probability = 0; ///< the model's own, whatever temperature and top-k are
    float chance = 1;      ///< with which it was drawn
};

/// The token for place `position` of a text; [PAD] is never chosen. Errors: canWrite()'s, a
/// vocabulary of [PAD] alone, and those of validate(sampling).
Result<NextToken> nextToken(const Model &model, const OutputRow &row, const Sampling &sampling,
                            Index position);

} // namespace headlight::core
