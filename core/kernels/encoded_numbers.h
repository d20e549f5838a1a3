// Decoding of single numbers (F32, F16, BF16) of 16 lines in registers, and what all encodings
// share. For processors with AVX2, FMA and F16C, or with AVX-512. Files that include this one are
// compiled for them (see product_tile.h for the restrictions).
//
// A sum adds its products one by one, so a variable contains one number of each of 16 lines. `Simd`
// defines the types of such variables and what they can do. Encoded words are transposed before
// they are decoded, because a word of 32 bits contains up to 16 numbers of a line.
#pragma once

#include "core/kernels/encoded_kernel.h"

#include <immintrin.h>

namespace headlight::core {

namespace {

using Lines = const std::uint8_t *const *;

inline __m128i load16Bytes(const std::uint8_t *from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i *>(from));
}

/// Loads 16 bytes of each of two lines.
inline __m256i twoLines(const std::uint8_t *low, const std::uint8_t *high) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(load16Bytes(low)), load16Bytes(high), 1);
}

// Each struct decodes one encoding. For each block, start() reads what its numbers have in common;
// then part(w, at, p, use) calls use(k, numbers) for each number k of part p, in order. A block has
// kNumbers numbers in kBytes bytes of a line, and kParts parts. Functions are always inlined,
// because otherwise sums would be passed by address and would not stay in registers.

template <class Simd>
struct OfF32 {
    static constexpr int kNumbers = 4, kBytes = 16, kParts = 1;
    void start(const EncodedLines &, std::int64_t) {}
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int, const Use &use) {
        typename Simd::Words words[4];
        Simd::fourWords(w.lines, at, words);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            use(i, Simd::asNumbers(words[i]));
    }
};

template <class Simd>
struct OfBf16 {
    static constexpr int kNumbers = 8, kBytes = 16, kParts = 1;
    void start(const EncodedLines &, std::int64_t) {}
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int, const Use &use) {
        typename Simd::Words words[4];
        Simd::fourWords(w.lines, at, words);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            use(2 * i, Simd::asNumbers(Simd::shifted(words[i], 16)));
            use(2 * i + 1, Simd::asNumbers(Simd::changed(words[i], 0xFFFF0000, 0)));
        }
    }
    static __m256 eight(__m128i bits) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
    }
};

template <class Simd>
struct OfF16 {
    static constexpr int kNumbers = 8, kBytes = 16, kParts = 1;
    void start(const EncodedLines &, std::int64_t) {}
    /// Transposes 16-bit halves instead of words, so that a register has one number of all 16
    /// lines.
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int, const Use &use) {
        __m256i of[8], pairs[8], fours[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i)
            of[i] = twoLines(w.lines[i] + at, w.lines[i + 8] + at);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            pairs[i] = _mm256_unpacklo_epi16(of[2 * i], of[2 * i + 1]);     // numbers 0 … 3
            pairs[i + 4] = _mm256_unpackhi_epi16(of[2 * i], of[2 * i + 1]); // numbers 4 … 7
        }
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) { // alternating: lines 0 … 3, lines 4 … 7
            fours[i] = _mm256_unpacklo_epi32(pairs[2 * i], pairs[2 * i + 1]);
            fours[i + 4] = _mm256_unpackhi_epi32(pairs[2 * i], pairs[2 * i + 1]);
        }
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
            const __m256i *const first = fours + 2 * i, *const second = first + 4;
            use(4 * i, Simd::ofHalves(_mm256_unpacklo_epi64(first[0], first[1])));
            use(4 * i + 1, Simd::ofHalves(_mm256_unpackhi_epi64(first[0], first[1])));
            use(4 * i + 2, Simd::ofHalves(_mm256_unpacklo_epi64(second[0], second[1])));
            use(4 * i + 3, Simd::ofHalves(_mm256_unpackhi_epi64(second[0], second[1])));
        }
    }
    static __m256 eight(__m128i bits) {
        return _mm256_cvtph_ps(bits);
    }
};

} // namespace

} // namespace headlight::core
