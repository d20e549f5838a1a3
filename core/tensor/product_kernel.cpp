#include "core/tensor/product_kernel.h"

#include <vector>

namespace headlight::core {

std::span<const ProductKernel *const> productKernels() {
    static const std::vector<const ProductKernel *> kernels = [] {
        std::vector<const ProductKernel *> found{&kPortableProduct};
#ifdef __x86_64__
        // Both ask whether the operating system keeps the registers as well.
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            found.push_back(&kAvx2Product);
        if (__builtin_cpu_supports("avx512f"))
            found.push_back(&kAvx512Product);
#endif
        return found;
    }();
    return kernels;
}

} // namespace headlight::core
