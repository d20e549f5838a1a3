// One layer of a stack: its attentions and its feed-forward network, each with its norm and its
// residual connection.
#pragma once

#include "core/transformer/pass.h"

namespace headlight::core {

/// From what the layer reads, [B, T, C], to what it gives. `memory` [B, S, C] is what its
/// cross-attention looks at; null where it has none. Pre-norm: y = x + f(norm(x)) (Xiong et al.
/// 2020); post-norm: y = norm(x + f(x)) (Vaswani et al. 2017, section 3.1).
Computed runLayer(const Pass &pass, Stack stack, Index layer, const Computed &x,
                  const Computed *memory);

} // namespace headlight::core
