// Kernels of products with encoded weights, for processors with AVX2, FMA and F16C, or with
// AVX-512. Files that include this one are compiled for them (see product_tile.h for the
// restrictions).
//
// A sum adds its products one by one, so a variable contains one number of each of 16 lines. `Simd`
// defines the types of such variables and what they can do. Encoded words are transposed before
// they are decoded, because a word of 32 bits contains up to eight numbers of a line.
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

/// Returns the half-precision number at offset `at` of each of the 16 lines. Joins four at a time
/// in a general register, because instructions that insert them into a vector are slow.
template <class Simd>
[[gnu::always_inline]] inline typename Simd::Numbers halfOfAll(Lines lines, std::int64_t at) {
    const auto four = [&](int line) __attribute__((always_inline)) {
        std::uint64_t joined = 0;
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            std::uint16_t bits;
            __builtin_memcpy(&bits, lines[line + i] + at, sizeof bits);
            joined |= static_cast<std::uint64_t>(bits) << 16 * i;
        }
        return static_cast<long long>(joined);
    };
    return Simd::ofHalves(_mm256_setr_epi64x(four(0), four(4), four(8), four(12)));
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

template <class Simd>
struct OfQ8_0 {
    static constexpr int kNumbers = 32, kBytes = 34, kParts = 2;
    typename Simd::Numbers scale, offset;

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        scale = halfOfAll<Simd>(w.lines, at);
        offset = Simd::multiply(scale, Simd::all(384));
    }
    /// Puts a byte x into the bits of the number 384 + x. Multiplying it by the scale, which has 11
    /// bits, and subtracting the offset is exact. Zeros are always +0.
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        typename Simd::Words words[4];
        Simd::fourWords(w.lines, at + 2 + 16 * p, words);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
            for (int byte = 0; byte < 4; ++byte) {
                const auto moved = Simd::shifted(words[i], 15 - 8 * byte);
                use(16 * p + 4 * i + byte,
                    Simd::multiplySubtract(
                        Simd::asNumbers(Simd::changed(moved, 0x007F8000, 0x43C00000)), scale,
                        offset));
            }
    }
};

template <class Simd>
struct OfQ4_0 {
    static constexpr int kNumbers = 32, kBytes = 18, kParts = 2;
    typename Simd::Numbers scale, offset;

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        scale = halfOfAll<Simd>(w.lines, at);
        offset = Simd::multiply(scale, Simd::all(8));
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        typename Simd::Words words[4];
        Simd::fourWords(w.lines, at + 2, words);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            const auto high = Simd::shifted(words[i], -4 * p);
#pragma GCC unroll 4
            for (int byte = 0; byte < 4; ++byte)
                use(16 * p + 4 * i + byte,
                    Simd::multiplySubtract(Simd::ofFourBits(Simd::shifted(high, -8 * byte)), scale,
                                           offset));
        }
    }
};

/// Four-bit numbers with a scale for each block, which is a power of two and stored separately.
/// Open Compute Project 2023, OCP Microscaling Formats (MX) Specification 1.0, section 6.3.
template <class Simd>
struct OfMxfp4 {
    static constexpr int kNumbers = 32, kBytes = 16, kParts = 4;
    typename Simd::Numbers scale;
    typename Simd::Words words[4];

    /// A scale is 2^(byte − 127). The byte for NaN results in ∞, which is not finite either.
    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        std::uint32_t bits[kEncodedLines];
        for (int line = 0; line < kEncodedLines; ++line) {
            const std::uint32_t byte = w.scales[line][at / kBytes];
            bits[line] = byte ? byte << 23 : 0x00400000; // 2^−127 is subnormal
        }
        scale = Simd::asNumbers(Simd::load(bits));
        Simd::fourWords(w.lines, at, words);
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &, std::int64_t, int p, const Use &use) {
        const auto word = words[p];
#pragma GCC unroll 8
        for (int j = 0; j < 8; ++j)
            use(8 * p + j,
                Simd::rounded(Simd::multiply(scale, Simd::ofMxfp4(Simd::shifted(word, -4 * j)))));
    }
};

template <class Simd>
struct OfQ4_K {
    static constexpr int kNumbers = 256, kBytes = 144, kParts = 16;
    /// The scales and minimums of the eight sub-blocks of 32 numbers.
    typename Simd::Numbers scale[8], minimum[8];
    typename Simd::Words words[2][4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        typename Simd::Words head[4]; // d and dmin, then twelve bytes with six bits per number
        Simd::fourWords(w.lines, at, head);
        const auto d = halfOfAll<Simd>(w.lines, at), least = halfOfAll<Simd>(w.lines, at + 2);
        const auto lowSix = [](auto word) __attribute__((always_inline)) {
            return Simd::changed(word, 0x3F3F3F3F, 0);
        };
        const auto joined = [](auto four, auto two) __attribute__((always_inline)) {
            return Simd::either(Simd::changed(four, 0x0F0F0F0F, 0),
                                Simd::changed(Simd::shifted(two, -2), 0x30303030, 0));
        };
        put(lowSix(head[1]), d, scale);
        put(lowSix(head[2]), least, minimum);
        put(joined(head[3], head[1]), d, scale + 4);
        put(joined(Simd::shifted(head[3], -4), head[2]), least, minimum + 4);
    }
    /// Part p has 16 numbers. Bytes have the numbers of two sub-blocks: low and high four bits. A
    /// scale has 17 bits, so its product with a number is exact.
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        const int block = p / 2, half = p % 2, high = block % 2;
        if (high == 0)
            Simd::fourWords(w.lines, at + 16 + 16 * (block + half), words[half]);
        const auto scaleOf = scale[block], minimumOf = minimum[block];
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            const auto word = words[half][i];
#pragma GCC unroll 4
            for (int byte = 0; byte < 4; ++byte)
                use(16 * p + 4 * i + byte,
                    Simd::multiplySubtract(Simd::ofFourBits(Simd::shifted(word, -8 * byte)),
                                           scaleOf, minimumOf));
            words[half][i] = Simd::shifted(word, -4);
        }
    }

  private:
    [[gnu::always_inline]] static void
    put(typename Simd::Words bytes, typename Simd::Numbers factor, typename Simd::Numbers *to) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            to[i] = Simd::multiply(
                factor, Simd::ofIntegers(Simd::changed(Simd::shifted(bytes, -8 * i), 255, 0)));
    }
};

constexpr int kCacheLine = 64;

/// Copies of the ends of lines that are shorter than a block, because the file may end with them.
struct Ends {
    std::uint8_t bytes[kEncodedLines][16] = {};
    EncodedLines lines{};

    Ends(const EncodedLines &w, std::int64_t at, std::int64_t count) {
        for (int line = 0; line < kEncodedLines; ++line) {
            __builtin_memcpy(bytes[line], w.lines[line] + at, static_cast<std::size_t>(count));
            lines.lines[line] = bytes[line];
        }
    }
};

/// Calls use(group, k, numbers) for each number k of each group of lines. Numbers of a group are in
/// order; groups alternate, so that the sums of one group are computed while the additions of the
/// other are still running.
template <class Of, int kGroups, bool kPrefetches, class Use>
[[gnu::always_inline]] inline void eachNumber(const EncodedLines *w, std::int64_t depth,
                                              const Use &use) {
    std::int64_t k = 0, at = 0;
    Of blocks[kGroups];
    for (; k + Of::kNumbers <= depth; k += Of::kNumbers, at += Of::kBytes) {
#pragma GCC unroll 2
        for (int group = 0; group < kGroups && kPrefetches; ++group)
#pragma GCC unroll 16
            for (int byte = 0; byte < kEncodedLines * Of::kBytes; byte += kCacheLine)
                __builtin_prefetch(w[group].ahead + at * kEncodedLines + byte, 0, 2);
#pragma GCC unroll 2
        for (int group = 0; group < kGroups; ++group)
            blocks[group].start(w[group], at);
        for (int p = 0; p < Of::kParts; ++p)
#pragma GCC unroll 2
            for (int group = 0; group < kGroups; ++group)
                blocks[group].part(
                    w[group], at, p, [&](int i, auto numbers) __attribute__((always_inline)) {
                        use(group, k + i, numbers);
                    });
    }
    if constexpr (Of::kNumbers <= 8) // longer blocks have no remainder
        if (k < depth)
#pragma GCC unroll 2
            for (int group = 0; group < kGroups; ++group) {
                const Ends ends(w[group], at, (depth - k) * (16 / Of::kNumbers));
                blocks[group].part(
                    ends.lines, 0, 0, [&](int i, auto numbers) __attribute__((always_inline)) {
                        if (k + i < depth)
                            use(group, k + i, numbers);
                    });
            }
}

template <class Simd, class Of, int kRows>
void encodedDots(const EncodedLines *w, std::int64_t depth, const float *a, std::int64_t aStride,
                 float *sums) {
    typename Simd::Numbers of[kEncodedGroups][kRows];
#pragma GCC unroll 2
    for (auto &group : of)
#pragma GCC unroll 2
        for (auto &sum : group)
            sum = Simd::all(0);
    eachNumber<Of, kEncodedGroups, true>(
        w, depth, [&](int group, std::int64_t k, auto numbers) __attribute__((always_inline)) {
#pragma GCC unroll 2
            for (int r = 0; r < kRows; ++r)
                of[group][r] =
                    Simd::multiplyAdd(Simd::all(a[r * aStride + k]), numbers, of[group][r]);
        });
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 2
        for (int group = 0; group < kEncodedGroups; ++group, sums += kEncodedLines)
            Simd::store(sums, of[group][r]);
}

template <class Simd, class Of>
void encodedPanel(const EncodedLines &w, std::int64_t depth, float *panel, std::int64_t width) {
    eachNumber<Of, 1, false>(
        &w, depth, [&](int, std::int64_t k, auto numbers) __attribute__((always_inline)) {
            Simd::store(panel + k * width, numbers);
        });
}

/// Loads and decodes eight numbers of a line.
template <class Of>
[[gnu::always_inline]] inline __m256 eightNumbers(const std::uint8_t *from) {
    if constexpr (Of::kBytes / Of::kNumbers == sizeof(float))
        return _mm256_loadu_ps(reinterpret_cast<const float *>(from));
    else
        return Of::eight(load16Bytes(from));
}

/// Adds the products of kLines lines to kVectors vectors of sums for each row of a, starting at
/// column c.
template <class Of, int kRows, int kLines, int kVectors>
[[gnu::always_inline]] inline void addProducts(const EncodedRows &w, std::int64_t c,
                                               const __m256 (&factors)[kRows][kLines], float *sums,
                                               std::int64_t sumsStride) {
    constexpr int kSize = Of::kBytes / Of::kNumbers;
    __m256 of[kRows][kVectors];
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            of[r][v] = _mm256_loadu_ps(sums + r * sumsStride + c + 8 * v);
#pragma GCC unroll 8
    for (int line = 0; line < kLines; ++line) {
        const std::uint8_t *const from = w.lines[line] + kSize * c;
        if constexpr (kVectors > 1)
#pragma GCC unroll 2
            for (int byte = 0; byte < 8 * kVectors * kSize; byte += kCacheLine)
                __builtin_prefetch(from + w.ahead + byte, 0, 2);
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) {
            const __m256 numbers = eightNumbers<Of>(from + 8 * kSize * v);
#pragma GCC unroll 2
            for (int r = 0; r < kRows; ++r)
                of[r][v] = _mm256_fmadd_ps(factors[r][line], numbers, of[r][v]);
        }
    }
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v)
            _mm256_storeu_ps(sums + r * sumsStride + c + 8 * v, of[r][v]);
}

/// Sums stay in the L1 cache, and each is loaded once for kLines products.
template <class Of, int kRows, int kLines>
void encodedSums(const EncodedRows &w, std::int64_t count, const float *a, std::int64_t aStride,
                 float *sums, std::int64_t sumsStride) {
    constexpr int kSize = Of::kBytes / Of::kNumbers;
    constexpr std::int64_t kTogether = 32;
    __m256 factors[kRows][kLines];
#pragma GCC unroll 2
    for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 8
        for (int line = 0; line < kLines; ++line)
            factors[r][line] = _mm256_set1_ps(a[r * aStride + line]);
    std::int64_t c = 0;
    for (; c + kTogether <= count; c += kTogether)
        addProducts<Of, kRows, kLines, kTogether / 8>(w, c, factors, sums, sumsStride);
    for (; c + 8 <= count; c += 8)
        addProducts<Of, kRows, kLines, 1>(w, c, factors, sums, sumsStride);
    if (c == count)
        return;
    // Copies of the ends, because the file may end with them.
    std::uint8_t ends[kLines][8 * kSize] = {};
    float rest[kRows][8] = {};
    EncodedRows last{};
    for (int line = 0; line < kLines; ++line) {
        __builtin_memcpy(ends[line], w.lines[line] + kSize * c,
                         static_cast<std::size_t>(kSize * (count - c)));
        last.lines[line] = ends[line];
    }
    const auto size = static_cast<std::size_t>(4 * (count - c));
    for (int r = 0; r < kRows; ++r)
        __builtin_memcpy(rest[r], sums + r * sumsStride + c, size);
    addProducts<Of, kRows, kLines, 1>(last, 0, factors, rest[0], 8);
    for (int r = 0; r < kRows; ++r)
        __builtin_memcpy(sums + r * sumsStride + c, rest[r], size);
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

inline void copyRun(const std::uint8_t *from, std::int64_t count, float *out) {
    __builtin_memcpy(out, from, static_cast<std::size_t>(4 * count));
}

template <class Simd, class Of>
constexpr EncodedKernel kEncodedKernel() {
    return {
        {encodedDots<Simd, Of, 1>, encodedDots<Simd, Of, 2>}, encodedPanel<Simd, Of>, {}, {}, {}};
}

/// The kernel of an encoding whose numbers are contiguous, not in blocks.
template <class Simd, class Of>
constexpr EncodedKernel kNumberKernel(EncodedRun run) {
    constexpr int kLines = static_cast<int>(kEncodedSumLines);
    return {{encodedDots<Simd, Of, 1>, encodedDots<Simd, Of, 2>},
            encodedPanel<Simd, Of>,
            run,
            {encodedSums<Of, 1, kLines>, encodedSums<Of, 2, kLines>},
            {encodedSums<Of, 1, 1>, encodedSums<Of, 2, 1>}};
}

/// The kernels of each Encoding, in its order.
template <class Simd>
struct EncodedKernels {
    EncodedKernel all[kEncodings] = {kNumberKernel<Simd, OfF32<Simd>>(copyRun),
                                     kNumberKernel<Simd, OfF16<Simd>>(encodedRun<OfF16<Simd>>),
                                     kNumberKernel<Simd, OfBf16<Simd>>(encodedRun<OfBf16<Simd>>),
                                     kEncodedKernel<Simd, OfQ8_0<Simd>>(),
                                     kEncodedKernel<Simd, OfQ4_0<Simd>>(),
                                     kEncodedKernel<Simd, OfQ4_K<Simd>>(),
                                     kEncodedKernel<Simd, OfMxfp4<Simd>>()};
};

} // namespace

} // namespace headlight::core
