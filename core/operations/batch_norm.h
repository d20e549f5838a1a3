// Batch normalisation (Ioffe and Szegedy 2015): centres and scales every channel over all tokens of
// the batch.
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out = (x − mean) / √(variance + epsilon) · gain + bias, per column, with the statistics of this
/// batch as in training. The variance is biased (÷ the number of tokens). x and out hold one matrix
/// [T, C] per sequence and may share memory. gain and bias are [C]; empty means 1 and 0. Only the
/// first lengths[b] rows of sequence b contribute to the statistics; the padding rows after them
/// are normalised as well. epsilon ≥ 0. A column with variance 0 becomes the bias if epsilon is 0.
void batchNorm(std::span<const MatrixView> x, std::span<const Index> lengths,
               std::span<const float> gain, std::span<const float> bias, float epsilon,
               std::span<const MutableMatrixView> out);

/// `x` is the input of the forward pass. Writes xGradients, which may share memory with
/// outGradients. Adds to the gradients of gain and bias [C]; pass empty spans to skip them.
/// Gradients of padding rows also contribute to those of real tokens, through the statistics.
void batchNormBackward(std::span<const MatrixView> x, std::span<const Index> lengths,
                       std::span<const float> gain, float epsilon,
                       std::span<const MatrixView> outGradients,
                       std::span<const MutableMatrixView> xGradients, std::span<float> gainGradient,
                       std::span<float> biasGradient);

} // namespace headlight::core
