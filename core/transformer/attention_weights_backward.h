// Back from the weights of an attention to its scores: softmax, mask, position bias and scale.
#pragma once

#include "core/transformer/backward_pass.h"

namespace headlight::core {

/// From the adjoint of the weights [B, H, T, S], seeds not in yet, to that of the computed scores:
/// what was set by hand passes nothing on. Either may be null.
Adjoint attentionWeightsBackward(const BackwardPass &pass, Site site, Adjoint weights);

} // namespace headlight::core
