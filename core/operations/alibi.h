// Attention with linear biases: the bias lowers a key's score with its distance from the query
// (Press, Smith and Lewis 2022).
#pragma once

#include "core/tensor/matrix.h"

#include <vector>

namespace headlight::core {

/// Slope of each of `heads` ≥ 1 heads: 2^(−8/H), 2^(−16/H), …, 2^−8 if H is a power of two (section
/// 3). Otherwise the slopes for the largest power n below H, followed by every second slope for 2n,
/// as in the authors' code.
std::vector<float> alibiSlopes(Index heads);

/// out[i, j] = −slope · |first + i − j|, shape [T, S]. Row i belongs to query first + i.
void alibiBias(float slope, MutableMatrixView out, Index first = 0);

} // namespace headlight::core
