// One norm of the model, of the kind that its config says.
#pragma once

#include "core/transformer/pass.h"

namespace headlight::core {

/// Stage `which` of `site`: the norm of x [B, T, …]. `before` are the weights that the same norm
/// had in the trace before. `batch` says which rows are tokens and which are padding: batch norm
/// takes its statistics from the tokens of all sequences.
Computed normalise(const Pass &pass, Stage which, Site site, const Computed &x,
                   const NormWeights &weights, const NormWeights &before, const Batch &batch);

} // namespace headlight::core
