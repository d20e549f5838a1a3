// Back through the feed-forward network of one layer.
#pragma once

#include "core/transformer/backward_pass.h"

namespace headlight::core {

/// From the adjoint of what it gave to that of x, which it read: both [B, T, C], the result null
/// where nothing flows back.
Adjoint feedForwardBackward(const BackwardPass &pass, Site site, Adjoint output,
                            const StageNames &x);

} // namespace headlight::core
