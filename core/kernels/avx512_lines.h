// The registers of products with encoded weights, for processors with AVX-512. See product_tile.h
// for the restrictions.
#pragma once

#include "core/kernels/encoded_numbers.h"

namespace headlight::core {

namespace {

/// Registers for encoded_loops.h and fixed_point_loops.h: all 16 lines.
struct Avx512Lines {
    using Words = __m512i;
    using Numbers = __m512;
    typedef std::uint32_t Bits __attribute__((vector_size(64)));

    /// Loads four words of each line: words[i] has word i of all lines.
    [[gnu::always_inline]] static void fourWords(Lines lines, std::int64_t at, Words *words) {
        // Joins pairs in narrower registers first, because insertions into 512 bits are slower.
        const auto four = [&](int line) __attribute__((always_inline)) {
            return _mm512_castsi512_ps(_mm512_inserti64x4(
                _mm512_castsi256_si512(twoLines(lines[line] + at, lines[line + 4] + at)),
                twoLines(lines[line + 8] + at, lines[line + 12] + at), 1));
        };
        const __m512 line0 = four(0), line1 = four(1), line2 = four(2), line3 = four(3);
        const __m512 low01 = _mm512_unpacklo_ps(line0, line1),
                     high01 = _mm512_unpackhi_ps(line0, line1);
        const __m512 low23 = _mm512_unpacklo_ps(line2, line3),
                     high23 = _mm512_unpackhi_ps(line2, line3);
        words[0] = _mm512_castps_si512(_mm512_shuffle_ps(low01, low23, 0x44));
        words[1] = _mm512_castps_si512(_mm512_shuffle_ps(low01, low23, 0xEE));
        words[2] = _mm512_castps_si512(_mm512_shuffle_ps(high01, high23, 0x44));
        words[3] = _mm512_castps_si512(_mm512_shuffle_ps(high01, high23, 0xEE));
    }
    static Words load(const std::uint32_t *from) { return _mm512_loadu_si512(from); }
    static void store(float *to, Numbers numbers) { _mm512_storeu_ps(to, numbers); }
    /// Shifts to the left, or to the right if `bits` is negative.
    [[gnu::always_inline]] static Words shifted(Words words, int bits) {
        const Bits of = reinterpret_cast<Bits>(words);
        return reinterpret_cast<Words>(bits < 0 ? of >> -bits : of << bits);
    }
    static Words shiftedRight(Words words, int bits) {
        return reinterpret_cast<Words>(reinterpret_cast<Bits>(words) >> bits);
    }
    /// Clears the bits that are not in `mask`, then inverts those in `inverted`.
    static Words changed(Words words, std::uint32_t mask, std::uint32_t inverted) {
        const Bits of = reinterpret_cast<Bits>(words) & mask;
        return reinterpret_cast<Words>(inverted ? of ^ inverted : of);
    }
    /// Returns the bits of x that are in `mask`, and the other bits of y.
    static Words selected(std::uint32_t mask, Words x, Words y) {
        return _mm512_ternarylogic_epi32(_mm512_set1_epi32(static_cast<int>(mask)), x, y, 0xCA);
    }
    static Words multiplied(Words words, std::uint32_t factor) {
        return reinterpret_cast<Words>(reinterpret_cast<Bits>(words) * factor);
    }
    static Numbers asNumbers(Words words) { return _mm512_castsi512_ps(words); }
    static Numbers ofHalves(__m256i halves) { return _mm512_cvtph_ps(halves); }
    /// Converts the low half of each word.
    static Numbers ofLowHalves(Words words) { return ofHalves(_mm512_cvtepi32_epi16(words)); }
    /// Converts the lowest `bits` bits of each word. For up to four bits, uses a permutation, which
    /// reads only the lowest four bits of a word.
    [[gnu::always_inline]] static Numbers ofLowBits(Words words, int bits) {
        const int mask = (1 << bits) - 1;
        const auto at = [mask](int index) { return static_cast<float>(index & mask); };
        return bits <= 4 ? _mm512_permutexvar_ps(
                               words, _mm512_setr_ps(at(0), at(1), at(2), at(3), at(4), at(5),
                                                     at(6), at(7), at(8), at(9), at(10), at(11),
                                                     at(12), at(13), at(14), at(15)))
                         : _mm512_cvtepi32_ps(changed(words, static_cast<std::uint32_t>(mask), 0));
    }
    /// Looks up the lowest four bits of each word in `table`.
    static Numbers ofTable(Words words, const float (&table)[16]) {
        return _mm512_permutexvar_ps(words, _mm512_loadu_ps(table));
    }
    static Numbers ofMxfp4(Words words) {
        return _mm512_permutexvar_ps(words, _mm512_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6, -0.0f,
                                                           -0.5f, -1, -1.5f, -2, -3, -4, -6));
    }
    static Numbers all(float number) { return _mm512_set1_ps(number); }
    static Numbers multiply(Numbers x, Numbers y) { return _mm512_mul_ps(x, y); }
    static Numbers multiplyAdd(Numbers x, Numbers y, Numbers sum) {
        return _mm512_fmadd_ps(x, y, sum);
    }
    static Numbers multiplySubtract(Numbers x, Numbers y, Numbers less) {
        return _mm512_fmsub_ps(x, y, less);
    }
    /// Keeps the compiler from fusing the product `numbers` with a later addition.
    static Numbers rounded(Numbers numbers) {
        asm("" : "+v"(numbers));
        return numbers;
    }
};

} // namespace

} // namespace headlight::core
