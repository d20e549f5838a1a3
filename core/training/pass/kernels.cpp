#include "core/training/pass/kernels.h"

namespace headlight::core {

const TrainingKernels &trainingKernels() {
    static const TrainingKernels &fastest = []() -> const TrainingKernels & {
#ifdef __x86_64__
        const bool fuses = __builtin_cpu_supports("fma");
        if (fuses && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
            return kAvx512Training;
        if (fuses && __builtin_cpu_supports("avx2"))
            return kAvx2Training;
#endif
        return kPortableTraining;
    }();
    return fastest;
}

} // namespace headlight::core
