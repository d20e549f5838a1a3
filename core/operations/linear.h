// The affine map of a linear layer.
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <stop_token>

namespace headlight::core {

/// out = x · weight + bias, for x [T, in], weight [in, out], bias [out] (or empty: none), out [T,
/// out]. A large one looks at `stop` as multiply() does.
void linear(MatrixView x, MatrixView weight, std::span<const float> bias, MutableMatrixView out,
            const std::stop_token &stop = {});

/// xGradient [T, in] is written; the gradients of weight [in, out] and bias [out] are added to, and
/// empty where they are not wanted. What a stopped one leaves in them is of no use.
void linearBackward(MatrixView x, MatrixView weight, MatrixView outGradient,
                    MutableMatrixView xGradient, MutableMatrixView weightGradient,
                    std::span<float> biasGradient, const std::stop_token &stop = {});

/// The second half of it: just the gradients of weight and bias.
void linearParametersBackward(MatrixView x, MatrixView outGradient,
                              MutableMatrixView weightGradient, std::span<float> biasGradient,
                              const std::stop_token &stop = {});

} // namespace headlight::core
