// The sets of kernels, each compiled for processors that support it.
#pragma once

#include "core/kernels/kernels.h"

namespace headlight::core {

extern const Kernels kPortableKernels;
#ifdef __x86_64__
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
/// Indexed by Encoding. Also for processors with AVX-512: vectors of eight numbers are as fast as
/// memory.
extern const EncodedKernel kAvx2EncodedKernels[kEncodings];
#endif

} // namespace headlight::core
