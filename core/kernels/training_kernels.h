// The inner loops of training, one set per instruction set. Rows are padded with zeros to a
// multiple of kPadding, so that loops use whole vectors. `stride` is the distance between rows.
// Results may differ in the last bits between instruction sets.
#pragma once

#include "core/kernels/accumulate.h"

#include <cstddef>
#include <cstdint>

namespace headlight::core {

constexpr std::int64_t kPadding = 16;

/// Returns the padded length of a row of `count` numbers.
constexpr std::int64_t padded(std::int64_t count) {
    return (count + kPadding - 1) / kPadding * kPadding;
}

/// out = a · b + bias, or out += a · b, for a [rows, depth], b [depth, columns].
struct SmallProduct {
    const float *a;
    std::int64_t aRowStride;
    std::int64_t aDepthStride; ///< aRowStride or aDepthStride must be 1
    const float *b;
    std::int64_t bStride;
    float *out;
    std::int64_t outStride;
    std::int64_t rows, depth;
    std::int64_t columns; ///< a multiple of kPadding
    const float *bias;    ///< [columns], or null; only with Accumulate::Replace
    Accumulate accumulate;
};

/// Attention weights from scores: softmax(score · factor + bias) in each row.
struct SoftmaxRows {
    float *scores; ///< [rows, columns]; overwritten by the attention weights
    std::int64_t rows, columns, stride;
    float factor;
    const float *bias;    ///< same layout as scores, or null
    const float *hidden;  ///< same layout as scores: 0 if visible, else the value that replaces it
    const float *padding; ///< [columns], for all rows: used like `hidden` where that is 0
};

/// (x − mean) / deviation · gain + bias for each row of x [rows, width]. Without `centred`, the
/// mean is 0.
struct NormRows {
    const float *x;
    std::int64_t rows, width, stride;
    bool centred;
    float epsilon;
    const float *gain; ///< [padded width], or null
    const float *bias; ///< [padded width], or null
    float *means;      ///< [rows]
    float *factors;    ///< [rows], 1/deviation
};

/// Inputs and outputs of a norm's backward pass.
struct NormGradients {
    const float *outGradient; ///< same layout as x
    float *xGradient;         ///< same layout as x
    Accumulate accumulate;    ///< for xGradient
    float *gain;              ///< [padded width], or null
    float *bias;              ///< [padded width], or null
};

/// The loss of one row of logits with a target.
struct TargetRow {
    double loss = 0;      ///< −ln p of the target
    bool isRight = false; ///< true if the target has the largest logit
};

/// Parameters and the state of their optimizer, [count] each.
struct ParameterSlices {
    float *weights;
    float *first;  ///< first moment (AdamW) or velocity (SGD)
    float *second; ///< second moment (AdamW only)
};

struct AdamStep {
    float beta1, beta2;
    float rate; ///< η ÷ (1 − β₁ᵗ)
    float root; ///< 1 ÷ √(1 − β₂ᵗ)
    float epsilon;
    float decay;  ///< 1 − η·λ, multiplies the parameters
    float factor; ///< multiplies the gradient, to clip it
};

struct MomentumStep {
    float momentum, rate, decay, factor;
};

struct TrainingKernels {
    void (*product)(const SmallProduct &product);
    /// out[c, r] = in[r, c] for [rows, columns]. Transposes the padding too; missing rows of `in`
    /// are zeros.
    void (*transpose)(const float *in, std::int64_t inStride, std::int64_t rows,
                      std::int64_t columns, float *out, std::int64_t outStride);
    void (*softmax)(const SoftmaxRows &rows);
    /// gradient = weights ⊙ (gradient − Σ weights·gradient) · factor, in each row.
    void (*softmaxBackward)(const float *weights, float *gradient, std::int64_t rows,
                            std::int64_t columns, std::int64_t stride, float factor);
    void (*norm)(const NormRows &rows, float *out);
    void (*normBackward)(const NormRows &rows, const NormGradients &gradients);
    /// out (+)= a + b; b may be null.
    void (*add)(const float *a, const float *b, std::int64_t count, float *out,
                Accumulate accumulate);
    /// sums[c] += Σ_r x[r, c]
    void (*addRows)(const float *x, std::int64_t rows, std::int64_t columns, std::int64_t stride,
                    float *sums);
    /// Replaces `count` logits with the gradient of the loss: (p − [is the target]) · share.
    TargetRow (*answer)(float *logits, std::int64_t count, std::int64_t answer, float share);
    double (*sumOfSquares)(const float *x, std::int64_t count);
    /// Computes `after` from `before` with one AdamW step.
    void (*adam)(const AdamStep &step, const float *gradient, std::int64_t count,
                 const ParameterSlices &before, const ParameterSlices &after);
    /// One SGD step: v = momentum·v + gradient·factor; parameters = parameters·decay − rate·v
    void (*momentum)(const MomentumStep &step, const float *gradient, std::int64_t count,
                     const ParameterSlices &before, const ParameterSlices &after);
};

} // namespace headlight::core
