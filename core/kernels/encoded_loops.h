// Kernels of products with encoded weights, for processors with AVX2, FMA and F16C, or with
// AVX-512. Files that include this one are compiled for them (see product_tile.h for the
// restrictions). The loops are the same for all encodings; encoded_numbers.h and encoded_blocks.h
// decode the numbers.
#pragma once

#include "core/kernels/encoded_blocks.h"
#include "core/kernels/encoded_kernel.h"

namespace headlight::core {

namespace {

constexpr int kCacheLine = 64;

/// Copies of line ends that are shorter than a block. The file may end with them, so reading a full
/// block would not be safe.
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

/// Calls use(group, k, numbers) for each number k of each group of lines, in order. Groups
/// alternate, so that the sums of one group are computed while the additions of the other are still
/// running.
template <class Of, int kGroups, bool kPrefetches, class Use>
[[gnu::always_inline]] inline void eachNumber(const EncodedLines *w, std::int64_t depth,
                                              const Use &use) {
    constexpr int kNumbers = Of::kNumbers / Of::kParts / Of::kSteps;
    std::int64_t k = 0, at = 0;
    Of blocks[kGroups];
    typename Of::Step steps[kGroups];
    for (; k + Of::kNumbers <= depth; at += Of::kBytes) {
#pragma GCC unroll 2
        for (int group = 0; group < kGroups && kPrefetches; ++group)
#pragma GCC unroll 16
            for (int byte = 0; byte < kEncodedLines * Of::kBytes; byte += kCacheLine)
                __builtin_prefetch(w[group].ahead + at * kEncodedLines + byte, 0, 2);
#pragma GCC unroll 2
        for (int group = 0; group < kGroups; ++group)
            blocks[group].start(w[group], at);
        for (int p = 0; p < Of::kParts; ++p) {
#pragma GCC unroll 2
            for (int group = 0; group < kGroups; ++group)
                blocks[group].load(w[group], at, p);
            for (int s = 0; s < Of::kSteps; ++s, k += kNumbers) {
#pragma GCC unroll 2
                for (int group = 0; group < kGroups; ++group)
                    steps[group] = blocks[group].step(p, s);
#pragma GCC unroll 32
                for (int i = 0; i < kNumbers; ++i)
#pragma GCC unroll 2
                    for (int group = 0; group < kGroups; ++group)
                        use(group, k + i, steps[group][i]);
            }
        }
    }
    if constexpr (Of::kNumbers <= 8) // longer blocks have no remainder
        if (k < depth)
#pragma GCC unroll 2
            for (int group = 0; group < kGroups; ++group) {
                const Ends ends(w[group], at, (depth - k) * (16 / Of::kNumbers));
                blocks[group].load(ends.lines, 0, 0);
                steps[group] = blocks[group].step(0, 0);
#pragma GCC unroll 8
                for (int i = 0; i < kNumbers; ++i)
                    if (k + i < depth)
                        use(group, k + i, steps[group][i]);
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
    // Copies of the line ends, because the file may end with them.
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

/// The kernels of all encodings, in the order of Encoding.
template <class Simd>
struct EncodedKernels {
    EncodedKernel all[kEncodings] = {kNumberKernel<Simd, OfF32<Simd>>(copyRun),
                                     kNumberKernel<Simd, OfF16<Simd>>(encodedRun<OfF16<Simd>>),
                                     kNumberKernel<Simd, OfBf16<Simd>>(encodedRun<OfBf16<Simd>>),
                                     kEncodedKernel<Simd, OfQ8_0<Simd>>(),
                                     kEncodedKernel<Simd, OfQ4OrQ5<Simd, false, false>>(),
                                     kEncodedKernel<Simd, OfQ4OrQ5<Simd, true, false>>(),
                                     kEncodedKernel<Simd, OfQ4OrQ5<Simd, false, true>>(),
                                     kEncodedKernel<Simd, OfQ4OrQ5<Simd, true, true>>(),
                                     kEncodedKernel<Simd, OfIQ4_NL<Simd>>(),
                                     kEncodedKernel<Simd, OfQ2_K<Simd>>(),
                                     kEncodedKernel<Simd, OfQ3_K<Simd>>(),
                                     kEncodedKernel<Simd, OfQ4OrQ5_K<Simd, false>>(),
                                     kEncodedKernel<Simd, OfQ4OrQ5_K<Simd, true>>(),
                                     kEncodedKernel<Simd, OfQ6_K<Simd>>(),
                                     kEncodedKernel<Simd, OfMxfp4<Simd>>()};
};

} // namespace

} // namespace headlight::core
