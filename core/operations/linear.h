// The affine map of a linear layer.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out = x · weight + bias, for x [T, in], weight [in, out], bias [out] (or empty: none), out [T,
/// out].
void linear(MatrixView x, MatrixView weight, std::span<const float> bias, MutableMatrixView out);

} // namespace headlight::core
