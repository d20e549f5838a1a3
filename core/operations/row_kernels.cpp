#include "core/operations/row_kernels.h"

namespace headlight::core {

const RowKernels &rowKernels() {
    static const RowKernels &fastest = []() -> const RowKernels & {
#ifdef __x86_64__
        const bool fuses = __builtin_cpu_supports("fma");
        if (fuses && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
            return kAvx512Rows;
        if (fuses && __builtin_cpu_supports("avx2"))
            return kAvx2Rows;
#endif
        return kPortableRows;
    }();
    return fastest;
}

} // namespace headlight::core
