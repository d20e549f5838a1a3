// Attention with linear biases: a key counts less, the farther it is away (Press, Smith and Lewis
// 2022).
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// How fast each of `heads` ≥ 1 heads forgets: 2^(−8/H), 2^(−16/H), … , 2^−8 where H is a power of
/// two (section 3). Else those of the power n below, and then every second one of 2n, as in the
/// authors' program.
std::vector<float> alibiSlopes(Index heads);

/// out[i, j] = −slope · |first + i − j|, shape [T, S]: of the queries from `first` on.
void alibiBias(float slope, MutableMatrixView out, Index first = 0);

} // namespace headlight::core
