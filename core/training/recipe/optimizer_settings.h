// Settings of the optimizer.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

namespace headlight::core {

enum class OptimizerKind {
    AdamW, ///< Loshchilov and Hutter 2019, algorithm 2
    Sgd,   ///< with momentum, as in PyTorch: v ← μ·v + g, w ← w − η·v
};

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::AdamW;
    float learningRate = 1e-3f; ///< learning rate η after warm-up
    float beta1 = 0.9f;         ///< decay rate of the first moment (AdamW)
    float beta2 = 0.99f;        ///< decay rate of the second moment (AdamW)
    float epsilon = 1e-8f;
    float momentum = 0.9f; ///< momentum μ (SGD)
    /// Each step subtracts η·weightDecay times the matrix. Does not apply to biases, gains, or
    /// matrices that are used only for lookups.
    float weightDecay = 0.01f;
    float clip = 1;     ///< maximum norm of the complete gradient; 0: none
    Index warmUp = 50;  ///< number of steps in which the rate increases linearly to η
    bool cosine = true; ///< the rate decreases by a cosine to η/10 at the last step
    bool operator==(const OptimizerSettings &) const = default;
};

/// Returns the learning rate of step `step`, counted from 0, in a run of `steps`.
double learningRateAt(const OptimizerSettings &settings, Index step, Index steps);

} // namespace headlight::core
