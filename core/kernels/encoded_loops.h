// Kernels of products with encoded weights, for processors with AVX2, FMA and F16C. Files that
// include this one are compiled for them (see product_tile.h for the restrictions).
//
// A sum adds its products one by one, so a register contains one number of each of eight lines.
// Encoded words are transposed before they are decoded, because a word of 32 bits contains up to
// eight numbers of a line.
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

/// Loads four words of each of eight lines: words[i] has word i of all lines.
inline void fourWords(Lines lines, std::int64_t at, __m256i *words) {
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

/// Four words of each of the 16 lines.
struct WordsOfLines {
    __m256i left[4], right[4];
    WordsOfLines(Lines lines, std::int64_t at) {
        fourWords(lines, at, left);
        fourWords(lines + 8, at, right);
    }
};

/// Keeps the compiler from fusing the product `number` with a later addition.
inline __m256 rounded(__m256 number) {
    asm("" : "+x"(number));
    return number;
}

/// Returns the half-precision number at offset `at` of each of eight lines.
inline __m256 halfOfEach(Lines lines, std::int64_t at) {
    const auto half = [&](int line) __attribute__((always_inline)) {
        std::int16_t bits;
        __builtin_memcpy(&bits, lines[line] + at, sizeof bits);
        return bits;
    };
    return _mm256_cvtph_ps(
        _mm_setr_epi16(half(0), half(1), half(2), half(3), half(4), half(5), half(6), half(7)));
}

/// Converts the half-precision numbers in the low halves of words. The high halves must be 0.
inline __m256 halvesOfWords(__m256i words) {
    return _mm256_cvtph_ps(
        _mm_packus_epi32(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1)));
}

// Each struct decodes one encoding: decode(lines, at, use) calls use(k, left, right) for each
// number k of a group, in order, with the numbers of lines 0 … 7 and 8 … 15. A group has kNumbers
// numbers in kBytes bytes of a line. Functions are always inlined, because otherwise sums would be
// passed by address and would not stay in registers.

struct OfF32 {
    static constexpr int kNumbers = 4, kBytes = 16;
    template <class Use>
    [[gnu::always_inline]] static void decode(Lines lines, std::int64_t at, const Use &use) {
        const WordsOfLines words(lines, at);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            use(i, _mm256_castsi256_ps(words.left[i]), _mm256_castsi256_ps(words.right[i]));
    }
};

struct OfBf16 {
    static constexpr int kNumbers = 8, kBytes = 16;
    template <class Use>
    [[gnu::always_inline]] static void decode(Lines lines, std::int64_t at, const Use &use) {
        const WordsOfLines words(lines, at);
        const __m256i upper = _mm256_set1_epi32(static_cast<int>(0xFFFF0000));
        const auto even = [](__m256i word) __attribute__((always_inline)) {
            return _mm256_castsi256_ps(_mm256_slli_epi32(word, 16));
        };
        const auto odd = [&](__m256i word) __attribute__((always_inline)) {
            return _mm256_castsi256_ps(_mm256_and_si256(word, upper));
        };
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            use(2 * i, even(words.left[i]), even(words.right[i]));
            use(2 * i + 1, odd(words.left[i]), odd(words.right[i]));
        }
    }
    static __m256 eight(__m128i bits) {
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits), 16));
    }
};

struct OfF16 {
    static constexpr int kNumbers = 8, kBytes = 16;
    /// Transposes 16-bit halves instead of words, so that a register has one number of all 16
    /// lines.
    template <class Use>
    [[gnu::always_inline]] static void decode(Lines lines, std::int64_t at, const Use &use) {
        __m256i of[8], pairs[8], fours[8];
#pragma GCC unroll 8
        for (int i = 0; i < 8; ++i)
            of[i] = twoLines(lines[i] + at, lines[i + 8] + at);
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
        const auto both = [&](int k, __m256i halves) __attribute__((always_inline)) {
            use(k, _mm256_cvtph_ps(_mm256_castsi256_si128(halves)),
                _mm256_cvtph_ps(_mm256_extracti128_si256(halves, 1)));
        };
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
            const __m256i *const first = fours + 2 * i, *const second = first + 4;
            both(4 * i, _mm256_unpacklo_epi64(first[0], first[1]));
            both(4 * i + 1, _mm256_unpackhi_epi64(first[0], first[1]));
            both(4 * i + 2, _mm256_unpacklo_epi64(second[0], second[1]));
            both(4 * i + 3, _mm256_unpackhi_epi64(second[0], second[1]));
        }
    }
    static __m256 eight(__m128i bits) {
        return _mm256_cvtph_ps(bits);
    }
};

struct OfQ8_0 {
    static constexpr int kNumbers = 32, kBytes = 34;
    template <class Use>
    [[gnu::always_inline]] static void decode(Lines lines, std::int64_t at, const Use &use) {
        const __m256 left = halfOfEach(lines, at), right = halfOfEach(lines + 8, at);
        for (int part = 0; part < 2; ++part) {
            const WordsOfLines words(lines, at + 2 + 16 * part);
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
                for (int byte = 0; byte < 4; ++byte) {
                    const auto number = [&](__m256i word) __attribute__((always_inline)) {
                        const __m256i top = _mm256_slli_epi32(word, 24 - 8 * byte);
                        return _mm256_cvtepi32_ps(_mm256_srai_epi32(top, 24));
                    };
                    use(16 * part + 4 * i + byte, _mm256_mul_ps(left, number(words.left[i])),
                        _mm256_mul_ps(right, number(words.right[i])));
                }
        }
    }
};

/// Calls use(k, left, right) for the low four bits of each byte, then shifts the high four bits to
/// their place.
template <class Use>
[[gnu::always_inline]] inline void takeFourBits(WordsOfLines &words, const Use &use) {
    const __m256i low = _mm256_set1_epi32(15);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
#pragma GCC unroll 4
        for (int byte = 0; byte < 4; ++byte)
            use(4 * i + byte, _mm256_and_si256(_mm256_srli_epi32(words.left[i], 8 * byte), low),
                _mm256_and_si256(_mm256_srli_epi32(words.right[i], 8 * byte), low));
        words.left[i] = _mm256_srli_epi32(words.left[i], 4);
        words.right[i] = _mm256_srli_epi32(words.right[i], 4);
    }
}

struct OfQ4_0 {
    static constexpr int kNumbers = 32, kBytes = 18;
    template <class Use>
    [[gnu::always_inline]] static void decode(Lines lines, std::int64_t at, const Use &use) {
        const __m256 left = halfOfEach(lines, at), right = halfOfEach(lines + 8, at);
        const __m256i eight = _mm256_set1_epi32(8);
        WordsOfLines words(lines, at + 2);
        for (int half = 0; half < 2; ++half)
            takeFourBits(
                words, [&](int k, __m256i x, __m256i y) __attribute__((always_inline)) {
                    use(16 * half + k,
                        _mm256_mul_ps(left, _mm256_cvtepi32_ps(_mm256_sub_epi32(x, eight))),
                        _mm256_mul_ps(right, _mm256_cvtepi32_ps(_mm256_sub_epi32(y, eight))));
                });
    }
};

/// Four-bit numbers with a scale for each block, which is a power of two and stored separately.
/// Open Compute Project 2023, OCP Microscaling Formats (MX) Specification 1.0, section 6.3.
struct OfMxfp4 {
    static constexpr int kNumbers = 32, kBytes = 16;

    /// Returns 2^(byte − 127) for eight lines. The byte for NaN results in ∞, which is not finite
    /// either.
    static __m256 scaleOfEach(const std::uint8_t *const *scales, std::int64_t block) {
        const auto one = [&](int line) __attribute__((always_inline)) {
            return static_cast<int>(scales[line][block]);
        };
        const __m256i bytes =
            _mm256_setr_epi32(one(0), one(1), one(2), one(3), one(4), one(5), one(6), one(7));
        const __m256i smallest = _mm256_set1_epi32(0x00400000); // 2^−127 is subnormal
        return _mm256_castsi256_ps(_mm256_max_epi32(_mm256_slli_epi32(bytes, 23), smallest));
    }
    template <class Use>
    [[gnu::always_inline]] static void decode(const EncodedLines &w, std::int64_t at,
                                              const Use &use) {
        const std::int64_t block = at / kBytes;
        const __m256 left = scaleOfEach(w.scales, block), right = scaleOfEach(w.scales + 8, block);
        const __m256 magnitudes = _mm256_setr_ps(0, 0.5f, 1, 1.5f, 2, 3, 4, 6);
        const __m256i sign = _mm256_set1_epi32(static_cast<int>(0x80000000));
        WordsOfLines words(w.lines, at);
        const auto number = [&](__m256i word) __attribute__((always_inline)) {
            const __m256 signs =
                _mm256_castsi256_ps(_mm256_and_si256(_mm256_slli_epi32(word, 28), sign));
            return _mm256_or_ps(_mm256_permutevar8x32_ps(magnitudes, word), signs);
        };
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 8; ++j) {
                use(8 * i + j, rounded(_mm256_mul_ps(left, number(words.left[i]))),
                    rounded(_mm256_mul_ps(right, number(words.right[i]))));
                words.left[i] = _mm256_srli_epi32(words.left[i], 4);
                words.right[i] = _mm256_srli_epi32(words.right[i], 4);
            }
    }
};

struct OfQ4_K {
    static constexpr int kNumbers = 256, kBytes = 144;

    /// The scales and minimums of eight lines, for the eight sub-blocks of 32 numbers.
    struct Scales {
        __m256 scale[8], minimum[8];

        Scales(Lines lines, std::int64_t at) {
            __m256i head[4]; // d and dmin, then twelve bytes with six bits per scale and minimum
            fourWords(lines, at, head);
            const __m256 d = halvesOfWords(_mm256_and_si256(head[0], _mm256_set1_epi32(0xFFFF)));
            const __m256 least = halvesOfWords(_mm256_srli_epi32(head[0], 16));
            const __m256i six = _mm256_set1_epi8(63), four = _mm256_set1_epi8(15);
            const auto upper = [](__m256i bytes) __attribute__((always_inline)) {
                return _mm256_and_si256(_mm256_srli_epi32(bytes, 2), _mm256_set1_epi8(0x30));
            };
            put(_mm256_and_si256(head[1], six), d, scale);
            put(_mm256_and_si256(head[2], six), least, minimum);
            put(_mm256_or_si256(_mm256_and_si256(head[3], four), upper(head[1])), d, scale + 4);
            put(_mm256_or_si256(_mm256_and_si256(_mm256_srli_epi32(head[3], 4), four),
                                upper(head[2])),
                least, minimum + 4);
        }

      private:
        static void put(__m256i bytes, __m256 factor, __m256 *to) {
            const __m256i lowest = _mm256_set1_epi32(255);
            for (int i = 0; i < 4; ++i, bytes = _mm256_srli_epi32(bytes, 8))
                to[i] = rounded(
                    _mm256_mul_ps(factor, _mm256_cvtepi32_ps(_mm256_and_si256(bytes, lowest))));
        }
    };

    template <class Use>
    [[gnu::always_inline]] static void decode(Lines lines, std::int64_t at, const Use &use) {
        const Scales left(lines, at), right(lines + 8, at);
        for (int pair = 0; pair < 4; ++pair) { // two sub-blocks: low four bits, high four bits
            WordsOfLines words[2] = {{lines, at + 16 + 32 * pair}, {lines, at + 32 + 32 * pair}};
            for (int block = 2 * pair; block < 2 * pair + 2; ++block)
                for (int part = 0; part < 2; ++part)
                    takeFourBits(
                        words[part], [&](int k, __m256i x,
                                         __m256i y) __attribute__((always_inline)) {
                            const __m256 xs =
                                _mm256_mul_ps(left.scale[block], _mm256_cvtepi32_ps(x));
                            const __m256 ys =
                                _mm256_mul_ps(right.scale[block], _mm256_cvtepi32_ps(y));
                            use(32 * block + 16 * part + k,
                                _mm256_sub_ps(rounded(xs), left.minimum[block]),
                                _mm256_sub_ps(rounded(ys), right.minimum[block]));
                        });
        }
    }
};

constexpr int kCacheLine = 64;

/// Returns how many of the lines to prefetch for each group of this many bytes.
constexpr int linesToPrefetch(int bytes) {
    return bytes < kCacheLine
               ? (bytes * static_cast<int>(kEncodedLines) + kCacheLine - 1) / kCacheLine
               : static_cast<int>(kEncodedLines);
}

/// Calls use(k, left, right) for each number k, in order.
template <class Of, class Use>
[[gnu::always_inline]] inline void eachNumber(const EncodedLines &w, std::int64_t depth,
                                              const Use &use) {
    std::int64_t k = 0, at = 0;
    int next = 0; // the next line to prefetch
    for (; k + Of::kNumbers <= depth; k += Of::kNumbers, at += Of::kBytes) {
        // Prefetches each cache line of each line once. Short groups prefetch only a few lines at a
        // time.
        for (int byte = 0; byte < Of::kBytes; byte += kCacheLine)
            for (int i = 0; i < linesToPrefetch(Of::kBytes); ++i, ++next)
                __builtin_prefetch(w.lines[next % kEncodedLines] + at + byte + w.ahead, 0, 2);
        const auto each = [&](int i, __m256 left, __m256 right) __attribute__((always_inline)) {
            use(k + i, left, right);
        };
        if constexpr (requires { Of::decode(w, at, each); }) // encodings with separate scales
            Of::decode(w, at, each);
        else
            Of::decode(w.lines, at, each);
    }
    if constexpr (Of::kNumbers <= 8) // blocks have no remainder
        if (k < depth) {
            // Copies the remainder, because the file may end with these lines.
            std::uint8_t rest[kEncodedLines][16] = {};
            const std::uint8_t *lines[kEncodedLines];
            const auto bytes = static_cast<std::size_t>((depth - k) * (16 / Of::kNumbers));
            for (int line = 0; line < kEncodedLines; ++line) {
                __builtin_memcpy(rest[line], w.lines[line] + at, bytes);
                lines[line] = rest[line];
            }
            Of::decode(
                lines, 0, [&](int i, __m256 left, __m256 right) __attribute__((always_inline)) {
                    if (k + i < depth)
                        use(k + i, left, right);
                });
        }
}

template <class Of, int kRows>
void encodedDots(const EncodedLines &w, std::int64_t depth, const float *a, std::int64_t aStride,
                 float *sums) {
    __m256 lefts[kRows], rights[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r)
        lefts[r] = rights[r] = _mm256_setzero_ps();
    eachNumber<Of>(
        w, depth, [&](std::int64_t k, __m256 left, __m256 right) __attribute__((always_inline)) {
#pragma GCC unroll 4
            for (int r = 0; r < kRows; ++r) {
                const __m256 factor = _mm256_set1_ps(a[r * aStride + k]);
                lefts[r] = _mm256_fmadd_ps(factor, left, lefts[r]);
                rights[r] = _mm256_fmadd_ps(factor, right, rights[r]);
            }
        });
    for (int r = 0; r < kRows; ++r) {
        _mm256_storeu_ps(sums + r * kEncodedLines, lefts[r]);
        _mm256_storeu_ps(sums + r * kEncodedLines + 8, rights[r]);
    }
}

template <class Of>
void encodedPanel(const EncodedLines &w, std::int64_t depth, float *panel, std::int64_t width) {
    eachNumber<Of>(
        w, depth, [&](std::int64_t k, __m256 left, __m256 right) __attribute__((always_inline)) {
            _mm256_storeu_ps(panel + k * width, left);
            _mm256_storeu_ps(panel + k * width + 8, right);
        });
}

template <class Of>
void encodedRun(const std::uint8_t *from, std::int64_t count, float *out) {
    std::int64_t i = 0;
    for (; i + 8 <= count; i += 8)
        _mm256_storeu_ps(out + i, Of::eight(load16Bytes(from + 2 * i)));
    if (i < count) {
        std::uint8_t rest[16] = {};
        float numbers[8];
        __builtin_memcpy(rest, from + 2 * i, static_cast<std::size_t>(2 * (count - i)));
        _mm256_storeu_ps(numbers, Of::eight(load16Bytes(rest)));
        __builtin_memcpy(out + i, numbers, static_cast<std::size_t>(4 * (count - i)));
    }
}

template <>
void encodedRun<OfF32>(const std::uint8_t *from, std::int64_t count, float *out) {
    __builtin_memcpy(out, from, static_cast<std::size_t>(4 * count));
}

template <class Of>
constexpr EncodedKernel kBlocksOf{
    {encodedDots<Of, 1>, encodedDots<Of, 2>}, encodedPanel<Of>, nullptr};
template <class Of>
constexpr EncodedKernel kNumbersOf{
    {encodedDots<Of, 1>, encodedDots<Of, 2>}, encodedPanel<Of>, encodedRun<Of>};

} // namespace

} // namespace headlight::core
