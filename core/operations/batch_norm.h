// Batch normalisation (Ioffe and Szegedy 2015): every channel is centred and scaled over all the
// tokens of the batch together.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out = (x − mean) / √(variance + epsilon) · gain + bias, column by column, with the statistics of
/// this batch as in training; the variance is the mean square (÷ the number of tokens). x and out
/// hold one matrix [T, C] a sequence and may be the same numbers; gain and bias [C], or empty: 1
/// and 0. Only the first lengths[b] rows of sequence b enter the statistics; the others are
/// padding, normalised with them. epsilon ≥ 0; a column whose variance is 0, with epsilon 0, is
/// the bias.
void batchNorm(std::span<const MatrixView> x, std::span<const Index> lengths,
               std::span<const float> gain, std::span<const float> bias, float epsilon,
               std::span<const MutableMatrixView> out);

/// `x` is what went in. xGradients are written and may be outGradients' numbers; the gradients of
/// gain and bias [C] are added to, and empty where they are not wanted. What padding gives back
/// flows through the statistics to the real tokens as well.
void batchNormBackward(std::span<const MatrixView> x, std::span<const Index> lengths,
                       std::span<const float> gain, float epsilon,
                       std::span<const MatrixView> outGradients,
                       std::span<const MutableMatrixView> xGradients, std::span<float> gainGradient,
                       std::span<float> biasGradient);

} // namespace headlight::core
