#include "core/operations/row_kernels.h"

namespace headlight::core {

const RowKernels &rowKernels() {
    static const RowKernels &fastest = []() -> const RowKernels & {
#ifdef __x86_64__
        if (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2"))
            return kAvx2Rows;
#endif
        return kPortableRows;
    }();
    return fastest;
}

} // namespace headlight::core
