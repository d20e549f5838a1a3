// The three spaces that vectors of attention live in. Only vectors of one space may be drawn over
// each other, or compared.
#pragma once

#include "core/transformer/trace/trace.h"

#include <span>
#include <vector>

namespace headlight::core {

enum class VectorSpace {
    Residual,     ///< width C: what enters the layer, and what it gives
    QueryKey,     ///< width d: the queries and keys of one head
    ValueContext, ///< width d: the values and contexts of one head
};

/// A token's vector at a stage.
struct SpaceVector {
    Stage stage = Stage::Embeddings;
    Index token = 0;
    std::span<const float> numbers;
    std::shared_ptr<const void> storage{}; ///< keeps the numbers
};

/// Whose vectors.
struct HeadId {
    Index sequence = 0;
    Index layer = 0;
    Index head = 0;
    Block block = Block::SelfAttention;
    Stack stack = Stack::Main;
    AttentionId attention() const { return {layer, block, stack}; }
    bool operator==(const HeadId &) const = default;
};

/// Every vector of the space, stage after stage in the order of the computation, token after token.
/// Residual: Positioned (what enters the attention: its block's input) and Output (Concatenated
/// where there is no W_O), the latter only if it has the width C. A stage that a capture lacks is
/// left out.
std::vector<SpaceVector> vectorsOf(const Trace &trace, VectorSpace space, const HeadId &place);

/// One of them, or of any other stage of vectors; Positioned means what enters the layer. Empty
/// where the trace does not have it.
std::vector<float> vectorAt(const Trace &trace, const HeadId &place, Stage stage, Index token);

/// Their numbers as the rows of a matrix. All have the same width.
Matrix rowsOf(const std::vector<SpaceVector> &vectors);

} // namespace headlight::core
