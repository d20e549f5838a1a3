// Back through what is made of the last layer's output: logits over words or classes.
#pragma once

#include "core/transformer/backward_pass.h"

namespace headlight::core {

/// The adjoint of x [B, T, C], what the head reads, from the seeds of its stages; null where
/// nothing flows back.
Adjoint outputHeadBackward(const BackwardPass &pass, const StageNames &x);

} // namespace headlight::core
