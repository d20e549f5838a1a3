// Back from what enters the layers to the words' vectors.
#pragma once

#include "core/transformer/backward_pass.h"

namespace headlight::core {

/// `entering` is the adjoint of stream.entering [B, T, C], seeds in. Rows of the matrices that were
/// looked up get what flows back to their tokens; a sequence with embeddings of its own, and words
/// with vectors of their own, have no matrix to give it to.
void embeddingBackward(const BackwardPass &pass, Stack stack, const ResidualStream &stream,
                       Adjoint entering);

} // namespace headlight::core
