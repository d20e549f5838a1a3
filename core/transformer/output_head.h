// From the last layer's output to logits and probabilities, or to the logits of classes.
#pragma once

#include "core/transformer/pass.h"

namespace headlight::core {

/// The stages of the model's head, from x [B, T, C]; none where it has no head.
void runHead(const Pass &pass, const Computed &x);

} // namespace headlight::core
