#include "core/kernels/kernels.h"

#include "core/kernels/instruction_sets.h"

#include <vector>

namespace headlight::core {

std::span<const Kernels *const> supportedKernels() {
    static const std::vector<const Kernels *> all = [] {
        std::vector<const Kernels *> found{&kPortableKernels};
#ifdef __x86_64__
        // __builtin_cpu_supports() also checks that the operating system saves the registers.
        const bool fuses = __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
        if (fuses && __builtin_cpu_supports("avx2")) {
            found.push_back(&kAvx2Kernels);
            if (__builtin_cpu_supports("avxvnni"))
                found.push_back(&kAvx2VnniKernels);
        }
        if (fuses && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
            found.push_back(&kAvx512Kernels);
            if (__builtin_cpu_supports("avx512vnni"))
                found.push_back(&kAvx512VnniKernels);
        }
#endif
        return found;
    }();
    return all;
}

const Kernels &fastestKernels() {
    static const Kernels &fastest = *supportedKernels().back();
    return fastest;
}

} // namespace headlight::core
