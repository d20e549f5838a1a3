// Conversion of floats to fixed point, for processors with AVX2 or AVX-512. See product_tile.h for
// the restrictions.
#pragma once

#include "core/kernels/fixed_point.h"

#include <immintrin.h>

namespace headlight::core {

namespace {

constexpr int kHalfBlock = 16;

inline float powerOfTwo(int exponent) {
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(exponent + 127) << 23);
}

/// Adding this to an integer and then inverting the same bits results in signed digits.
constexpr std::uint32_t kSignedDigits = 0x808080;

/// Returns eight numbers times both factors, rounded to integers, as signed digits.
inline __m256i digitsOfEight(const float *from, __m256 factor, __m256 rest) {
    const __m256 numbers = _mm256_mul_ps(_mm256_mul_ps(_mm256_loadu_ps(from), factor), rest);
    // 0.5 with the sign of the number, because the conversion rounds towards zero.
    const __m256 rounding =
        _mm256_or_ps(_mm256_and_ps(numbers, _mm256_set1_ps(-0.0f)), _mm256_set1_ps(0.5f));
    const __m256i integers = _mm256_cvttps_epi32(_mm256_add_ps(numbers, rounding));
    const __m256i signedDigits = _mm256_set1_epi32(kSignedDigits);
    return _mm256_xor_si256(_mm256_add_epi32(integers, signedDigits), signedDigits);
}

/// Writes 16 digits and returns their sum.
inline std::int32_t writeDigits(__m128i digits, std::int8_t *to) {
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to), digits);
    // Sums of eight bytes, each increased by 128.
    const __m128i sums =
        _mm_sad_epu8(_mm_xor_si128(digits, _mm_set1_epi8(-128)), _mm_setzero_si128());
    return _mm_cvtsi128_si32(sums) + _mm_extract_epi32(sums, 2) - 128 * kHalfBlock;
}

/// Writes the digits of half a block, and returns the sum of each digit.
inline void writeHalfBlock(const float *from, __m256 factor, __m256 rest,
                           std::int8_t (*to)[kFixedBlock], std::int32_t (&sums)[kFixedDigits]) {
    const __m256i digits[2] = {digitsOfEight(from, factor, rest),
                               digitsOfEight(from + 8, factor, rest)};
    // Orders the digits of four integers: the four highest digits, then the middle ones, then the
    // lowest ones.
    const __m128i order = _mm_setr_epi8(2, 6, 10, 14, 1, 5, 9, 13, 0, 4, 8, 12, -1, -1, -1, -1);
    __m128i fours[4];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
        fours[i] = _mm_shuffle_epi8(i % 2 ? _mm256_extracti128_si256(digits[i / 2], 1)
                                          : _mm256_castsi256_si128(digits[i / 2]),
                                    order);
    const __m128i first = _mm_unpacklo_epi32(fours[0], fours[1]);
    const __m128i second = _mm_unpacklo_epi32(fours[2], fours[3]);
    sums[0] = writeDigits(_mm_unpacklo_epi64(first, second), to[0]);
    sums[1] = writeDigits(_mm_unpackhi_epi64(first, second), to[1]);
    sums[2] = writeDigits(_mm_unpacklo_epi64(_mm_unpackhi_epi32(fours[0], fours[1]),
                                             _mm_unpackhi_epi32(fours[2], fours[3])),
                          to[2]);
}

/// See FixedFrom. `count` is a multiple of kFixedBlock.
inline bool fixedFrom(const float *from, std::int64_t count, FixedSlice &to) {
    __m256i most = _mm256_setzero_si256(); // absolute values are ordered like their bits
    for (std::int64_t i = 0; i < count; i += 8) {
        const __m256i bits = _mm256_castps_si256(_mm256_loadu_ps(from + i));
        most = _mm256_max_epi32(most, _mm256_and_si256(bits, _mm256_set1_epi32(0x7FFFFFFF)));
    }
    std::uint32_t sizes[8];
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(sizes), most);
    std::uint32_t largest = 0;
    for (const std::uint32_t size : sizes)
        largest = size > largest ? size : largest;
    if (largest >= 0x7F800000U)
        return false;
    // The unit that makes the largest number at least 2²² and at most 8,355,711. Subnormal numbers
    // have the unit 2⁻¹⁴⁹, like all floats of their size.
    const bool isTooLarge = (largest & 0x7FFFFFU) > 0x7EFEFEU;
    const int exponent = 149 - static_cast<int>(largest >> 23) - (isTooLarge ? 1 : 0);
    to.unit = 1.0 / powerOfTwo(exponent / 2) / powerOfTwo(exponent - exponent / 2);
    // Multiplies twice, because 2¹⁴⁹ is not a float. This rounds only numbers far below a unit.
    const int once = exponent < 126 ? exponent : 126;
    const __m256 factor = _mm256_set1_ps(powerOfTwo(once));
    const __m256 rest = _mm256_set1_ps(powerOfTwo(exponent - once));
    for (std::int64_t block = 0; block < count / kFixedBlock; ++block) {
        std::int32_t sums[2][kFixedDigits];
#pragma GCC unroll 2
        for (int half = 0; half < 2; ++half) {
            const std::int64_t within = half * kHalfBlock;
            writeHalfBlock(
                from + block * kFixedBlock + within, factor, rest,
                reinterpret_cast<std::int8_t(*)[kFixedBlock]>(&to.digits[block][0][within]),
                sums[half]);
        }
        std::int32_t sum = 0;
        for (int digit = 0; digit < kFixedDigits; ++digit) {
            const std::int32_t both = sums[0][digit] + sums[1][digit];
            to.less128[block][digit] = -128 * both;
            sum = sum * 256 + both;
        }
        const std::uint32_t digits =
            (static_cast<std::uint32_t>(sum) + kSignedDigits) ^ kSignedDigits;
        for (int digit = 0; digit < 4; ++digit)
            to.sums[digit][block] = static_cast<std::int8_t>(digits >> (24 - 8 * digit));
    }
    return true;
}

} // namespace

} // namespace headlight::core
