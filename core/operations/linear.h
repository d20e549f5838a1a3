// The affine map of a linear layer and its gradients.
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// out = x · weight + bias, for x [T, in], weight [in, out], bias [out] (empty means none), out [T,
/// out]. Large products check `stop`, as multiply() does.
void linear(MatrixView x, MatrixView weight, std::span<const float> bias, MutableMatrixView out,
            const std::stop_token &stop = {});

/// Writes xGradient [T, in]. Adds to the gradients of weight [in, out] and bias [out]; pass empty
/// ones to skip them. If stopped, their contents are unusable.
void linearBackward(MatrixView x, MatrixView weight, MatrixView outGradient,
                    MutableMatrixView xGradient, MutableMatrixView weightGradient,
                    std::span<float> biasGradient, const std::stop_token &stop = {});

/// Computes only the gradients of weight and bias.
void linearParametersBackward(MatrixView x, MatrixView outGradient,
                              MutableMatrixView weightGradient, std::span<float> biasGradient,
                              const std::stop_token &stop = {});

} // namespace headlight::core
