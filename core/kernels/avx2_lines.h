// The registers of products with encoded weights, for processors with AVX2, FMA and F16C. See
// product_tile.h for the restrictions.
#pragma once

#include "core/kernels/encoded_numbers.h"

namespace headlight::core {

namespace {

/// Registers for encoded_loops.h and fixed_point_loops.h: the first eight lines and the last eight.
struct Avx2Lines {
    struct Words {
        __m256i low, high;
    };
    struct Numbers {
        __m256 low, high;
    };
    typedef std::uint32_t Bits __attribute__((vector_size(32)));

    /// Loads four words of each of eight lines: words[i] has word i of all lines.
    [[gnu::always_inline]] static void ofEight(Lines lines, std::int64_t at, __m256i *words) {
        const auto two = [&](int line) __attribute__((always_inline)) {
            return _mm256_castsi256_ps(twoLines(lines[line] + at, lines[line + 4] + at));
        };
        const __m256 line0 = two(0), line1 = two(1), line2 = two(2), line3 = two(3);
        const __m256 low01 = _mm256_unpacklo_ps(line0, line1),
                     high01 = _mm256_unpackhi_ps(line0, line1);
        const __m256 low23 = _mm256_unpacklo_ps(line2, line3),
                     high23 = _mm256_unpackhi_ps(line2, line3);
        words[0] = _mm256_castps_si256(_mm256_shuffle_ps(low01, low23, 0x44));
        words[1] = _mm256_castps_si256(_mm256_shuffle_ps(low01, low23, 0xEE));
        words[2] = _mm256_castps_si256(_mm256_shuffle_ps(high01, high23, 0x44));
        words[3] = _mm256_castps_si256(_mm256_shuffle_ps(high01, high23, 0xEE));
    }
    [[gnu::always_inline]] static void fourWords(Lines lines, std::int64_t at, Words *words) {
        __m256i low[4], high[4];
        ofEight(lines, at, low);
        ofEight(lines + 8, at, high);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            words[i] = {low[i], high[i]};
    }
    static Words load(const std::uint32_t *from) {
        const auto *const words = reinterpret_cast<const __m256i *>(from);
        return {_mm256_loadu_si256(words), _mm256_loadu_si256(words + 1)};
    }
    static void store(float *to, Numbers numbers) {
        _mm256_storeu_ps(to, numbers.low);
        _mm256_storeu_ps(to + 8, numbers.high);
    }
    /// Shifts to the left, or to the right if `bits` is negative.
    [[gnu::always_inline]] static Words shifted(Words words, int bits) {
        const auto one = [bits](__m256i x) __attribute__((always_inline)) {
            const Bits of = reinterpret_cast<Bits>(x);
            return reinterpret_cast<__m256i>(bits < 0 ? of >> -bits : of << bits);
        };
        return {one(words.low), one(words.high)};
    }
    static Words shiftedRight(Words words, int bits) {
        return {reinterpret_cast<__m256i>(reinterpret_cast<Bits>(words.low) >> bits),
                reinterpret_cast<__m256i>(reinterpret_cast<Bits>(words.high) >> bits)};
    }
    /// Clears the bits that are not in `mask`, then inverts those in `inverted`.
    static Words changed(Words words, std::uint32_t mask, std::uint32_t inverted) {
        const auto one = [mask, inverted](__m256i x) {
            return reinterpret_cast<__m256i>((reinterpret_cast<Bits>(x) & mask) ^ inverted);
        };
        return {one(words.low), one(words.high)};
    }
    /// Returns the bits of x that are in `mask`, and the other bits of y.
    static Words selected(std::uint32_t mask, Words x, Words y) {
        const auto one = [mask](__m256i of, __m256i other) {
            return reinterpret_cast<__m256i>((reinterpret_cast<Bits>(of) & mask) |
                                             (reinterpret_cast<Bits>(other) & ~mask));
        };
        return {one(x.low, y.low), one(x.high, y.high)};
    }
    static Words multiplied(Words words, std::uint32_t factor) {
        const auto one = [factor](__m256i x) {
            return reinterpret_cast<__m256i>(reinterpret_cast<Bits>(x) * factor);
        };
        return {one(words.low), one(words.high)};
    }
    static Numbers asNumbers(Words words) {
        return {_mm256_castsi256_ps(words.low), _mm256_castsi256_ps(words.high)};
    }
    static Numbers ofHalves(__m256i halves) {
        return {_mm256_cvtph_ps(_mm256_castsi256_si128(halves)),
                _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1))};
    }
    /// Converts the low half of each word.
    static Numbers ofLowHalves(Words words) {
        const Words halves = changed(words, 0xFFFF, 0);
        return ofHalves(
            _mm256_permute4x64_epi64(_mm256_packus_epi32(halves.low, halves.high), 0xD8));
    }
    /// Converts the lowest `bits` bits of each word.
    [[gnu::always_inline]] static Numbers ofLowBits(Words words, int bits) {
        const Words of = changed(words, (1U << bits) - 1, 0);
        return {_mm256_cvtepi32_ps(of.low), _mm256_cvtepi32_ps(of.high)};
    }
    /// Looks up the lowest four bits of each word in `table`.
    static Numbers ofTable(Words words, const float (&table)[16]) {
        const auto one = [&table](__m256i word) {
            return _mm256_blendv_ps(_mm256_permutevar8x32_ps(_mm256_loadu_ps(table), word),
                                    _mm256_permutevar8x32_ps(_mm256_loadu_ps(table + 8), word),
                                    _mm256_castsi256_ps(_mm256_slli_epi32(word, 28)));
        };
        return {one(words.low), one(words.high)};
    }
    /// Decodes the lowest four bits of each word: a sign and one of eight magnitudes.
    static Numbers ofMxfp4(Words words) {
        const auto one = [](__m256i word) {
            const __m256 magnitudes = _mm256_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6);
            const __m256 sign = _mm256_castsi256_ps(_mm256_slli_epi32(word, 28));
            return _mm256_or_ps(_mm256_permutevar8x32_ps(magnitudes, word),
                                _mm256_and_ps(sign, _mm256_set1_ps(-0.0f)));
        };
        return {one(words.low), one(words.high)};
    }
    static Numbers all(float number) {
        return {_mm256_set1_ps(number), _mm256_set1_ps(number)};
    }
    static Numbers multiply(Numbers x, Numbers y) {
        return {_mm256_mul_ps(x.low, y.low), _mm256_mul_ps(x.high, y.high)};
    }
    static Numbers multiplyAdd(Numbers x, Numbers y, Numbers sum) {
        return {_mm256_fmadd_ps(x.low, y.low, sum.low), _mm256_fmadd_ps(x.high, y.high, sum.high)};
    }
    static Numbers multiplySubtract(Numbers x, Numbers y, Numbers less) {
        return {_mm256_fmsub_ps(x.low, y.low, less.low),
                _mm256_fmsub_ps(x.high, y.high, less.high)};
    }
    /// Keeps the compiler from fusing the product `numbers` with a later addition.
    static Numbers rounded(Numbers numbers) {
        asm("" : "+x"(numbers.low), "+x"(numbers.high));
        return numbers;
    }
};

} // namespace

} // namespace headlight::core
