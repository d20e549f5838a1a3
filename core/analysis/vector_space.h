// The three vector spaces of attention. Only vectors of the same space may be compared or drawn in
// the same plot.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>
#include <vector>

namespace headlight::core {

enum class VectorSpace {
    Residual,     ///< width C: input and output of the layer
    QueryKey,     ///< width d: the queries and keys of one head
    ValueContext, ///< width d: the values and contexts of one head
};

/// A token's vector at a stage.
struct SpaceVector {
    Stage stage = Stage::Embeddings;
    Index token = 0;
    std::span<const float> numbers;
    std::shared_ptr<const void> storage{}; ///< keeps the numbers alive
};

/// A head of an attention module, in one sequence.
struct SequenceHeadId {
    Index sequence = 0;
    Index layer = 0;
    Index head = 0;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    AttentionId attention() const { return {layer, block, stack}; }
    bool operator==(const SequenceHeadId &) const = default;
};

/// Returns all vectors of the space, ordered by stage, then by token. The residual space has the
/// stage Positioned (the input of the attention block). If Output (Concatenated if there is no W_O)
/// has width C, it is in this space too. Omits stages that a capture lacks.
std::vector<SpaceVector> vectorsOf(const Trace &trace, VectorSpace space,
                                   const SequenceHeadId &place);

/// Returns a token's vector at a stage whose rows are vectors; Positioned means the input of the
/// attention block. Empty if the trace does not have it.
std::vector<float> vectorAt(const Trace &trace, const SequenceHeadId &place, Stage stage,
                            Index token);

/// Returns the vectors as the rows of a matrix. All have the same width.
Matrix rowsOf(const std::vector<SpaceVector> &vectors);

} // namespace headlight::core
