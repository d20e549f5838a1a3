// The loops over numbers that a pass spends its time in, besides products: once for each kind of
// vector instructions. What a number becomes depends on it alone, to the last bit, wherever in a
// row it stands. Processors with other instructions may give other bits.
#pragma once

#include "core/operations/activation.h"

#include <cstddef>

namespace headlight::core {

struct ActivationKernels {
    /// out[i] = f(x[i]); may be the same numbers.
    void (*values)(const float *x, std::size_t count, float *out);
    /// xGradient[i] = outGradient[i] · f'(x[i]); may be the same numbers.
    void (*slopes)(const float *x, const float *outGradient, std::size_t count, float *xGradient);
};

struct RowKernels {
    const char *name; ///< Of the vector instructions.
    /// All are between smallest and the largest float.
    bool (*areWithin)(const float *x, std::size_t count, float smallest);
    /// The largest; −∞ of none.
    float (*maximum)(const float *x, std::size_t count);
    /// out[i] = exp((x[i] − shift) / divisor), and their sum, added up in double; may be the same
    /// numbers.
    double (*exponentials)(const float *x, std::size_t count, float shift, float divisor,
                           float *out);
    void (*scale)(float *x, std::size_t count, float factor);
    ActivationKernels activations[kActivations]; ///< by Activation
};

extern const RowKernels kPortableRows;
#ifdef __x86_64__
extern const RowKernels kAvx2Rows;
extern const RowKernels kAvx512Rows;
#endif

/// The fastest that this processor can run.
const RowKernels &rowKernels();

} // namespace headlight::core
