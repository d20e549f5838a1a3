// The gradients of a linear layer.
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// Adds to the gradients of weight [in, out] and bias [out] of x · weight + bias; pass empty ones
/// to skip them. If stopped, their contents are invalid.
void linearParametersBackward(MatrixView x, MatrixView outGradient,
                              MutableMatrixView weightGradient, std::span<float> biasGradient,
                              const std::stop_token &stop = {});

} // namespace headlight::core
