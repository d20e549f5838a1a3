// Products of one row with rows of b. Used for a transposed b if a has too few rows to make packing
// worthwhile. For processors with AVX2 and FMA; files that include this one are compiled for them
// (see product_tile.h for the restrictions).
#pragma once

#include "core/kernels/product_kernel.h"

#include <immintrin.h>

namespace headlight::core {

namespace {

/// Loads four numbers of a row, and four numbers of the row four rows later.
inline __m256 twoRows(const float *row, std::int64_t stride) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row)),
                                _mm_loadu_ps(row + 4 * stride), 1);
}

/// Adds the next four products to each of eight rows' sums.
inline __m256 addFour(__m256 sums, const float *a, const float *b, std::int64_t stride) {
    const __m256 row0 = twoRows(b, stride), row1 = twoRows(b + stride, stride);
    const __m256 row2 = twoRows(b + 2 * stride, stride), row3 = twoRows(b + 3 * stride, stride);
    const __m256 low01 = _mm256_unpacklo_ps(row0, row1), high01 = _mm256_unpackhi_ps(row0, row1);
    const __m256 low23 = _mm256_unpacklo_ps(row2, row3), high23 = _mm256_unpackhi_ps(row2, row3);
    // Transposes, so that each vector has one number of each row.
    const __m256 first = _mm256_shuffle_ps(low01, low23, 0x44);
    const __m256 second = _mm256_shuffle_ps(low01, low23, 0xEE);
    const __m256 third = _mm256_shuffle_ps(high01, high23, 0x44);
    const __m256 fourth = _mm256_shuffle_ps(high01, high23, 0xEE);
    sums = _mm256_fmadd_ps(_mm256_set1_ps(a[0]), first, sums);
    sums = _mm256_fmadd_ps(_mm256_set1_ps(a[1]), second, sums);
    sums = _mm256_fmadd_ps(_mm256_set1_ps(a[2]), third, sums);
    return _mm256_fmadd_ps(_mm256_set1_ps(a[3]), fourth, sums);
}

void dotProducts(const float *a, const float *b, std::int64_t bStride, std::int64_t depth,
                 float *sums) {
    static_assert(kDotProducts == 16);
    __m256 left = _mm256_setzero_ps(), right = _mm256_setzero_ps();
    const float *const rightRows = b + 8 * bStride;
    std::int64_t k = 0;
    for (; k + 4 <= depth; k += 4) {
        left = addFour(left, a + k, b + k, bStride);
        right = addFour(right, a + k, rightRows + k, bStride);
    }
    _mm256_storeu_ps(sums, left);
    _mm256_storeu_ps(sums + 8, right);
    for (; k < depth; ++k)
        for (std::int64_t c = 0; c < kDotProducts; ++c)
            sums[c] = __builtin_fmaf(a[k], b[c * bStride + k], sums[c]);
}

} // namespace

} // namespace headlight::core
