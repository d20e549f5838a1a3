// Decodes single numbers (F32, F16, BF16) of 16 lines in registers, and contains code that all
// encodings share. For processors with AVX2, FMA and F16C, or with AVX-512. Files that include this
// one are compiled for them (see product_tile.h for the restrictions).
//
// A sum adds its products one by one, so a variable contains one number of each of 16 lines. `Simd`
// defines the types of such variables and their operations. Encoded words are transposed before
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

// Each struct decodes one encoding. A block has kNumbers numbers in kBytes bytes of a line. It has
// kParts parts, and a part has kSteps steps. start() reads the values that all numbers of a block
// share, such as the scale. load() reads the words of a part. step() returns the next numbers, as a
// struct whose number k is step[k]. Functions are always inlined, because otherwise words would be
// passed by address and would not stay in registers.

template <class Simd>
struct OfF32 {
    static constexpr int kNumbers = 4, kBytes = 16, kParts = 1, kSteps = 1;
    struct Step {
        typename Simd::Words words[4];

        [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
            return Simd::asNumbers(words[k]);
        }
    };
    Step next;

    void start(const EncodedLines &, std::int64_t) {}
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int) {
        Simd::fourWords(w.lines, at, next.words);
    }
    [[gnu::always_inline]] Step step(int, int) const { return next; }
};

template <class Simd>
struct OfBf16 {
    static constexpr int kNumbers = 8, kBytes = 16, kParts = 1, kSteps = 1;
    struct Step {
        typename Simd::Words words[4];

        [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
            return Simd::asNumbers(k % 2 ? Simd::changed(words[k / 2], 0xFFFF0000, 0)
                                         : Simd::shifted(words[k / 2], 16));
        }
    };
    Step next;

    void start(const EncodedLines &, std::int64_t) {}
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int) {
        Simd::fourWords(w.lines, at, next.words);
    }
    [[gnu::always_inline]] Step step(int, int) const { return next; }
    static __m256 eight(__m128i bits) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
    }
};

template <class Simd>
struct OfF16 {
    static constexpr int kNumbers = 8, kBytes = 16, kParts = 1, kSteps = 1;
    struct Step {
        /// Two vectors each for numbers 0 and 1, 4 and 5, 2 and 3, and 6 and 7. The first of the
        /// two has lines 0 … 3 and 8 … 11, the second has the other lines.
        __m256i fours[8];

        [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
            const __m256i *const of = fours + k / 4 * 2 + k / 2 % 2 * 4;
            return Simd::ofHalves(k % 2 ? _mm256_unpackhi_epi64(of[0], of[1])
                                        : _mm256_unpacklo_epi64(of[0], of[1]));
        }
    };
    Step next;

    void start(const EncodedLines &, std::int64_t) {}
    /// Transposes 16-bit halves instead of words, so that a register has one number of all 16
    /// lines.
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int) {
        __m256i of[8], pairs[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i)
            of[i] = twoLines(w.lines[i] + at, w.lines[i + 8] + at);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            pairs[i] = _mm256_unpacklo_epi16(of[2 * i], of[2 * i + 1]);     // numbers 0 … 3
            pairs[i + 4] = _mm256_unpackhi_epi16(of[2 * i], of[2 * i + 1]); // numbers 4 … 7
        }
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            next.fours[i] = _mm256_unpacklo_epi32(pairs[2 * i], pairs[2 * i + 1]);
            next.fours[i + 4] = _mm256_unpackhi_epi32(pairs[2 * i], pairs[2 * i + 1]);
        }
    }
    [[gnu::always_inline]] Step step(int, int) const {
        return next;
    }
    static __m256 eight(__m128i bits) {
        return _mm256_cvtph_ps(bits);
    }
};

} // namespace

} // namespace headlight::core
