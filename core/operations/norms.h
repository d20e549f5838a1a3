// Normalisation: per token with centring (layer norm; Ba, Kiros and Hinton 2016, section 3) or
// without (RMS norm; Zhang and Sennrich 2019), or per channel over all tokens of the batch (batch
// norm; Ioffe and Szegedy 2015).
#pragma once

#include "core/tensor/matrix.h"

#include <span>

namespace headlight::core {

/// out[t] = (x[t] − mean) / √(variance + epsilon) · gain + bias, per row, with the biased variance
/// (÷ C). x and out are [T, C] and may share memory. gain and bias are [C]; empty means 1 and 0.
/// epsilon ≥ 0. A row becomes the bias if its variance and epsilon are both 0.
void layerNorm(MatrixView x, std::span<const float> gain, std::span<const float> bias,
               float epsilon, MutableMatrixView out);

/// `x` is the input of the forward pass. Writes xGradient [T, C], which may share memory with
/// outGradient. Adds to the gradients of gain and bias [C]; pass empty spans to skip them.
void layerNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                       MatrixView outGradient, MutableMatrixView xGradient,
                       std::span<float> gainGradient, std::span<float> biasGradient);

/// out[t] = x[t] / √(mean of x[t]² + epsilon) · gain, per row. x and out are [T, C] and may share
/// memory. gain is [C]; empty means 1. epsilon ≥ 0. Rows of zeros stay zero, even if epsilon is 0.
void rmsNorm(MatrixView x, std::span<const float> gain, float epsilon, MutableMatrixView out);

/// `x` is the input of the forward pass. Writes xGradient [T, C], which may share memory with
/// outGradient. Adds to gainGradient [C]; pass an empty span to skip it.
void rmsNormBackward(MatrixView x, std::span<const float> gain, float epsilon,
                     MatrixView outGradient, MutableMatrixView xGradient,
                     std::span<float> gainGradient);

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
/// Gradients of padding rows also affect the gradients of real tokens, through the statistics.
void batchNormBackward(std::span<const MatrixView> x, std::span<const Index> lengths,
                       std::span<const float> gain, float epsilon,
                       std::span<const MatrixView> outGradients,
                       std::span<const MutableMatrixView> xGradients, std::span<float> gainGradient,
                       std::span<float> biasGradient);

} // namespace headlight::core
