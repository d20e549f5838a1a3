// Elementwise loops that take most of a pass's time besides matrix products, one set per
// instruction set. Each result depends only on its input, bit for bit, not on its position in the
// row. Results may differ in the last bits between instruction sets.
#pragma once

#include "core/kernels/activation.h"

#include <cstddef>

namespace headlight::core {

struct ActivationKernels {
    /// out[i] = f(x[i]). x and out may share memory.
    void (*values)(const float *x, std::size_t count, float *out);
    /// xGradient[i] = outGradient[i] · f'(x[i]). The arrays may share memory.
    void (*slopes)(const float *x, const float *outGradient, std::size_t count, float *xGradient);
};

struct RowKernels {
    /// Returns whether all values are between `smallest` and the largest float.
    bool (*areWithin)(const float *x, std::size_t count, float smallest);
    /// Returns the largest value; −∞ if count is 0.
    float (*maximum)(const float *x, std::size_t count);
    /// out[i] = exp((x[i] − shift) / divisor). Returns their sum, accumulated in double. x and out
    /// may share memory.
    double (*exponentials)(const float *x, std::size_t count, float shift, float divisor,
                           float *out);
    /// Returns the sum of exp(x[i] − shift), computed in double. x[i] − shift must be at most 709;
    /// below −708 it counts as −708. 0 if count is 0.
    double (*sumOfExponentials)(const float *x, std::size_t count, double shift);
    void (*scale)(float *x, std::size_t count, float factor);
    ActivationKernels activations[kActivations]; ///< indexed by Activation
};

} // namespace headlight::core
