// Back through one norm of the model, of the kind that its config says.
#pragma once

#include "core/transformer/backward_pass.h"

namespace headlight::core {

/// `adjoint` is that of what came out and becomes that of x [B, T, …], which went in. The gradients
/// of gain and bias are added to `sums`. `batch` says which rows are padding.
void normBackward(const BackwardPass &pass, const Tensor &x, const NormWeights &weights,
                  const NormWeights &sums, const Batch &batch, Adjoint &adjoint);

} // namespace headlight::core
