// A model's plan as training runs it: nodes one after the other, and how much room they need.
#pragma once

#include "core/training/pass/node.h"
#include "core/transformer/plan/plan.h"

#include <vector>

namespace headlight::core {

struct Program {
    FlatParameters parameters{};
    std::vector<NodePointer> nodes{}; ///< in the order of the computation
    Buffer logits{};                  ///< of the words, [T, V], or of the classes, [1, K]
    Index sizeOfSequence = 0;         ///< numbers of all buffers
    Index extrasOfSequence = 0;       ///< and what nodes keep besides
    Index largestBuffer = 0;          ///< of a sequence
    Index attentionScratch = 0;
};

/// Of sequences of so many tokens, hidden from each other as `masks` says (its sequences are not
/// read). Errors name the member of the session's "model": what training does not know, words
/// without a learned vector, a model without an output layer.
Result<Program> compileForTraining(const Model &model, const Input &masks, Index tokens,
                                   Index sourceTokens);

} // namespace headlight::core
