// How gradients change the weights.
#pragma once

#include "core/result.h"
#include "core/tensor/matrix.h"

namespace headlight::core {

enum class OptimizerKind {
    AdamW, ///< Loshchilov and Hutter 2019, algorithm 2
    Sgd,   ///< with momentum, as PyTorch's: v ← μ·v + g, w ← w − η·v
};

struct OptimizerSettings {
    OptimizerKind kind = OptimizerKind::AdamW;
    float learningRate = 1e-3f; ///< η, after warming up
    float beta1 = 0.9f;         ///< AdamW: how slowly the first moment forgets
    float beta2 = 0.99f;        ///< and the second
    float epsilon = 1e-8f;
    float momentum = 0.9f;     ///< μ, of SGD
    float weightDecay = 0.01f; ///< each step takes η·weightDecay of a matrix away; not of biases,
                               ///< gains and what is looked up
    float clip = 1; ///< a longer gradient, of all weights together, is shortened to this; 0: never
    Index warmUp = 50;  ///< steps in which the rate grows to η in equal parts
    bool cosine = true; ///< then it falls to a tenth of η by half a cosine, until the last step
    bool operator==(const OptimizerSettings &) const = default;
};

/// The rate of the step that leads from `step` to `step` + 1, of a run of `steps`.
double learningRateAt(const OptimizerSettings &settings, Index step, Index steps);

} // namespace headlight::core
