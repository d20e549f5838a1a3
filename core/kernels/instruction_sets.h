// The sets of kernels. Each is compiled for processors with certain instructions.
#pragma once

#include "core/kernels/kernels.h"

namespace headlight::core {

extern const Kernels kPortableKernels;
#ifdef __x86_64__
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#endif

} // namespace headlight::core
