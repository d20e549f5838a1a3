// The sets of kernels. Each is compiled for processors with certain instructions.
#pragma once

#include "core/kernels/kernels.h"

namespace headlight::core {

extern const Kernels kPortableKernels;
#ifdef __x86_64__
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
/// Sets with products in fixed point, for processors with VNNI instructions, which add products of
/// bytes.
extern const Kernels kAvx2VnniKernels;
extern const Kernels kAvx512VnniKernels;
extern const FixedPointKernel kAvx2VnniFixedPoint;
extern const FixedPointKernel kAvx512VnniFixedPoint;
#endif

} // namespace headlight::core
