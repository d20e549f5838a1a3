// A model's plan, compiled for training: its nodes and the memory that they need.
#pragma once

#include "core/training/pass/node.h"
#include "core/transformer/plan/plan.h"

#include <vector>

namespace headlight::core {

struct Program {
    FlatParameters parameters{};
    std::vector<NodePointer> nodes{}; ///< in computation order
    Buffer logits{};                  ///< logits: [T, V] for the vocabulary, or [1, K] for classes
    Index sizeOfSequence = 0;         ///< total size of all buffers, per sequence
    Index extrasOfSequence = 0;       ///< total size of the nodes' extras, per sequence
    Index largestBuffer = 0;          ///< size of the largest buffer, per sequence
    Index attentionScratch = 0;
};

/// Compiles a model for sequences of these lengths. Only the masks of `masks` are used, not its
/// sequences. Errors name the member of the session's "model": operations that training does not
/// support, words without a trainable embedding, no output layer.
Result<Program> compileForTraining(const Model &model, const Input &masks, Index tokens,
                                   Index sourceTokens);

} // namespace headlight::core
