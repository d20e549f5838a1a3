// The feed-forward network of one layer: two linear maps, or three, with an activation between.
#pragma once

#include "core/transformer/pass.h"

namespace headlight::core {

/// The stages feed_forward.gate, hidden, activated and output of the layer, from x [B, T, C].
Computed feedForward(const Pass &pass, Site site, const Computed &x);

} // namespace headlight::core
