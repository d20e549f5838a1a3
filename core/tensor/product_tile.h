// The kernels of a matrix product, written once for all vector instructions (Goto and van de Geijn
// 2008, "Anatomy of high-performance matrix multiplication").
//
// The files that include this are compiled for processors that not everybody has. So everything
// here has internal linkage, and nothing from the standard library is used: the linker could take
// its copy for the whole program.
#pragma once

#include "core/tensor/product_kernel.h"

namespace headlight::core {

namespace {

/// `Simd` says what a vector is, how many numbers it holds, and how to multiply and add.
template <class Simd, int kRows, bool kFetches>
void sumTile(const float *a, std::int64_t aStride, const float *b, std::int64_t bStride,
             std::int64_t depth, float *out, std::int64_t outStride, Into into,
             const float *ahead) {
    typename Simd::Vector left[kRows], right[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
        left[r] = right[r] = Simd::all(0);
#pragma GCC unroll 4
    for (std::int64_t k = 0; k < depth; ++k, b += bStride) {
        if constexpr (kFetches)
            __builtin_prefetch(ahead + k * bStride);
        const typename Simd::Vector bLeft = Simd::load(b), bRight = Simd::load(b + Simd::kLanes);
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
            const typename Simd::Vector factor = Simd::all(a[r * aStride + k]);
            left[r] = Simd::multiplyAdd(factor, bLeft, left[r]);
            right[r] = Simd::multiplyAdd(factor, bRight, right[r]);
        }
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r, out += outStride) {
        if (into == Into::Add) {
            left[r] = Simd::add(Simd::load(out), left[r]);
            right[r] = Simd::add(Simd::load(out + Simd::kLanes), right[r]);
        }
        Simd::store(out, left[r]);
        Simd::store(out + Simd::kLanes, right[r]);
    }
}

template <class Simd, int kRows>
void tileProduct(const float *a, std::int64_t aStride, const float *b, std::int64_t bStride,
                 std::int64_t depth, float *out, std::int64_t outStride, Into into,
                 const float *ahead) {
    (ahead ? sumTile<Simd, kRows, true> : sumTile<Simd, kRows, false>)(a, aStride, b, bStride,
                                                                       depth, out, outStride, into,
                                                                       ahead);
}

} // namespace

} // namespace headlight::core
