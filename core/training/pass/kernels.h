// The loops that training spends its time in, once for each kind of vector instructions.
//
// Rows of all matrices here are filled up with zeros to a multiple of kPadding numbers, so that
// every loop goes through whole vectors. `stride` is the distance of rows. Processors with other
// instructions may give other bits.
#pragma once

#include "core/tensor/accumulate.h"

#include <cstddef>
#include <cstdint>

namespace headlight::core {

constexpr std::int64_t kPadding = 16;

/// How many numbers a row of `count` takes.
constexpr std::int64_t padded(std::int64_t count) {
    return (count + kPadding - 1) / kPadding * kPadding;
}

/// out = a · b + bias, or out += a · b, for a [rows, depth], b [depth, columns].
struct SmallProduct {
    const float *a;
    std::int64_t aRowStride;
    std::int64_t aDepthStride; ///< either is 1
    const float *b;
    std::int64_t bStride;
    float *out;
    std::int64_t outStride;
    std::int64_t rows, depth;
    std::int64_t columns; ///< a multiple of kPadding
    const float *bias;    ///< [columns], or null; only where out is replaced
    Accumulate accumulate;
};

/// From scores to weights: softmax(score · factor + bias), row by row.
struct SoftmaxRows {
    float *scores; ///< [rows, columns]; the weights come to stand in their place
    std::int64_t rows, columns, stride;
    float factor;
    const float *bias;    ///< as scores, or null
    const float *hidden;  ///< as scores: 0, or what stands for a score that is hidden
    const float *padding; ///< [columns], the same of all rows
};

/// Rows of x [rows, width] less their mean (`centred`), over their deviation, · gain + bias.
struct NormRows {
    const float *x;
    std::int64_t rows, width, stride;
    bool centred;
    float epsilon;
    const float *gain; ///< [padded width], or null
    const float *bias; ///< the same
    float *means;      ///< [rows]
    float *factors;    ///< [rows], 1/deviation
};

/// What the norm's gradients are made of, and where they are added to.
struct NormGradients {
    const float *outGradient; ///< as x
    float *xGradient;         ///< the same
    Accumulate accumulate;    ///< of xGradient
    float *gain;              ///< [padded width], or null
    float *bias;              ///< the same
};

/// A row of logits, of which one is right.
struct TargetRow {
    double loss = 0;      ///< −ln p of the right one
    bool isRight = false; ///< it is the largest
};

/// What an optimizer changes: [count] each.
struct ParameterSlices {
    float *weights;
    float *first;  ///< moments
    float *second; ///< AdamW's alone
};

struct AdamStep {
    float beta1, beta2;
    float rate; ///< η ÷ (1 − β₁ᵗ)
    float root; ///< 1 ÷ √(1 − β₂ᵗ)
    float epsilon;
    float decay;  ///< 1 − η·λ, that the weights are multiplied by
    float factor; ///< of the gradient: what clipping leaves of it
};

struct MomentumStep {
    float momentum, rate, decay, factor;
};

struct TrainingKernels {
    const char *name; ///< Of the vector instructions.
    void (*product)(const SmallProduct &product);
    /// out[c, r] = in[r, c], for [rows, columns]; both sides of `out` are filled up with what
    /// stands there in `in`, whose rows beyond `rows` count as zeros.
    void (*transpose)(const float *in, std::int64_t inStride, std::int64_t rows,
                      std::int64_t columns, float *out, std::int64_t outStride);
    void (*softmax)(const SoftmaxRows &rows);
    /// gradient = weights ⊙ (gradient − Σ weights·gradient) · factor, row by row.
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
    /// The logits become their loss's gradient, (p − [is the answer]) · share, of `count` numbers.
    TargetRow (*answer)(float *logits, std::int64_t count, std::int64_t answer, float share);
    double (*sumOfSquares)(const float *x, std::int64_t count);
    /// From what was learned before to what is learned now.
    void (*adam)(const AdamStep &step, const float *gradient, std::int64_t count,
                 const ParameterSlices &before, const ParameterSlices &after);
    /// v = momentum·v + gradient·factor; weights = weights·decay − rate·v
    void (*momentum)(const MomentumStep &step, const float *gradient, std::int64_t count,
                     const ParameterSlices &before, const ParameterSlices &after);
};

extern const TrainingKernels kPortableTraining;
#ifdef __x86_64__
extern const TrainingKernels kAvx2Training;
extern const TrainingKernels kAvx512Training;
#endif

/// The fastest that this processor can run.
const TrainingKernels &trainingKernels();

} // namespace headlight::core
