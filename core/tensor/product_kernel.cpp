#include "core/tensor/product_kernel.h"

#include <vector>

namespace headlight::core {

std::span<const ProductKernel *const> productKernels() {
    static const std::vector<const ProductKernel *> kernels = [] {
        std::vector<const ProductKernel *> found{&kPortableProduct};
#ifdef __x86_64__
        // These also check that the operating system saves the registers.
        const bool fuses = __builtin_cpu_supports("fma");
        if (fuses && __builtin_cpu_supports("avx2"))
            found.push_back(&kAvx2Product);
        if (fuses && __builtin_cpu_supports("avx512f"))
            found.push_back(&kAvx512Product);
#endif
        return found;
    }();
    return kernels;
}

} // namespace headlight::core
