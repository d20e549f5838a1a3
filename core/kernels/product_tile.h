// Kernels of a matrix product, written once for all instruction sets (Goto and van de Geijn 2008,
// "Anatomy of high-performance matrix multiplication").
//
// Files that include this one are compiled for instruction sets that some processors lack.
// Everything here therefore has internal linkage and does not use the standard library: otherwise
// the linker could use a copy with such instructions for the whole program.
#pragma once

#include "core/kernels/product_kernel.h"

namespace headlight::core {

namespace {

constexpr int kLine = 16; // numbers per cache line

/// A column of `a`. Three rows share a pointer, because one pointer per row would use up the
/// registers. The asm in next() hides that the stride is constant, which keeps the compiler from
/// creating more pointers.
template <int kRows>
struct Column {
    const float *rows[(kRows + 2) / 3];
    std::int64_t stride;

    Column(const float *a, std::int64_t aStride) : stride(aStride) {
        for (int i = 0; i < (kRows + 2) / 3; ++i)
            rows[i] = a + 3 * i * aStride;
    }
    void next() {
#pragma GCC unroll 16
        for (const float *&row : rows)
            ++row;
        asm("" : "+r"(stride));
    }
    float operator[](int r) const {
        return rows[r / 3][r % 3 * stride];
    }
};

/// Computes one tile. `Simd` defines the vector type, its number of lanes, and how to multiply and
/// add.
template <class Simd, int kRows, bool kCopies>
void sumTile(const float *a, std::int64_t aStride, const float *b, std::int64_t bStride,
             std::int64_t depth, float *out, std::int64_t outStride, Accumulate accumulate,
             const PrefetchHints &hints) {
    const float *ahead = hints.ahead;
    float *copy = hints.copy;
    typename Simd::Vector left[kRows], right[kRows];
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
        left[r] = right[r] = Simd::all(0);
    Column<kRows> column(a, aStride);
    const auto addProducts = [&]() __attribute__((always_inline)) {
        const typename Simd::Vector bLeft = Simd::load(b), bRight = Simd::load(b + Simd::kLanes);
        if constexpr (kCopies) {
            Simd::store(copy, bLeft);
            Simd::store(copy + Simd::kLanes, bRight);
            copy += 2 * Simd::kLanes;
        }
#pragma GCC unroll 16
        for (int r = 0; r < kRows; ++r) {
            const typename Simd::Vector factor = Simd::all(column[r]);
            left[r] = Simd::multiplyAdd(factor, bLeft, left[r]);
            right[r] = Simd::multiplyAdd(factor, bRight, right[r]);
        }
        b += bStride;
        column.next();
    };
    std::int64_t k = 0;
    for (; k < hints.aheadRows; ++k, ahead += hints.aheadStride) {
#pragma GCC unroll 4
        for (int line = 0; line < 2 * Simd::kLanes; line += kLine)
            __builtin_prefetch(ahead + line, 0, 2);
        addProducts();
    }
#pragma GCC unroll 4
    for (; k < depth; ++k)
        addProducts();
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r, out += outStride) {
        if (accumulate == Accumulate::Add) {
            left[r] = Simd::add(Simd::load(out), left[r]);
            right[r] = Simd::add(Simd::load(out + Simd::kLanes), right[r]);
        }
        Simd::store(out, left[r]);
        Simd::store(out + Simd::kLanes, right[r]);
    }
}

template <class Simd, int kRows>
void tileProduct(const float *a, std::int64_t aStride, const float *b, std::int64_t bStride,
                 std::int64_t depth, float *out, std::int64_t outStride, Accumulate accumulate,
                 const PrefetchHints &hints) {
    (hints.copy ? sumTile<Simd, kRows, true> : sumTile<Simd, kRows, false>)(a, aStride, b, bStride,
                                                                            depth, out, outStride,
                                                                            accumulate, hints);
}

} // namespace

} // namespace headlight::core
