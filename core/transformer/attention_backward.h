// Back through one attention, self or cross.
#pragma once

#include "core/transformer/backward_pass.h"

namespace headlight::core {

/// What flows back to the two sequences that an attention reads; of a self-attention both are the
/// same one. Null where nothing does.
struct AttentionSources {
    Adjoint queries; ///< [B, T, C]
    Adjoint keys;    ///< [B, S, C]
};

/// From the adjoint of what the attention gave (its output or, without W_O, its concatenated
/// heads), seeds in, to those of what it read: `queries` and `keys` are those tensors' names.
AttentionSources attentionBackward(const BackwardPass &pass, Site site, Adjoint made,
                                   const StageNames &queries, const StageNames &keys);

} // namespace headlight::core
