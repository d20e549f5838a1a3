// Kernels of products in fixed point (fixed_point.h), for processors with AVX2 or AVX-512. See
// product_tile.h for the restrictions. As in encoded_loops.h, a variable has a number of each of 16
// lines, so that a sum needs no addition across lanes, and `Simd` defines the variables. The blocks
// are read by the decoders of encoded_blocks.h. Their integers are bytes, four of a line in each
// word, and stay in registers while all rows are multiplied with them.
#pragma once

#include "core/kernels/encoded_blocks.h"
#include "core/kernels/fixed_point_slice.h"

namespace headlight::core {

namespace {

/// Loads the 16-bit half at offset `at` of each of 16 lines. At least 14 bytes must follow it.
inline __m256i halvesOf(Lines lines, std::int64_t at) {
    __m128i pairs[8];
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
        pairs[i] =
            _mm_unpacklo_epi16(load16Bytes(lines[2 * i] + at), load16Bytes(lines[2 * i + 1] + at));
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
        pairs[i] = _mm_unpacklo_epi32(pairs[2 * i], pairs[2 * i + 1]);
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_unpacklo_epi64(pairs[0], pairs[1])),
                                   _mm_unpacklo_epi64(pairs[2], pairs[3]), 1);
}

/// Prefetches the part of `ahead` that corresponds to kBytes bytes at offset `at` of each line.
template <int kBytes>
[[gnu::always_inline]] inline void prefetchAhead(const EncodedLines &w, std::int64_t at) {
    constexpr int kCacheLineBytes = 64;
#pragma GCC unroll 4
    for (int byte = 0; byte < kEncodedLines * kBytes; byte += kCacheLineBytes)
        __builtin_prefetch(w.ahead + at * kEncodedLines + byte, 0, 2);
}

/// Rounds a piece of sums to floats, and stores them in `to` or adds them to it.
template <class Simd>
[[gnu::always_inline]] inline void storePiece(float *to, int i, typename Simd::Piece sums,
                                              Accumulate accumulate) {
    constexpr int kSize = sizeof sums / sizeof(double);
    typedef float Floats __attribute__((vector_size(kSize * 4), aligned(4), may_alias));
    Floats &out = *reinterpret_cast<Floats *>(to + kSize * i);
    const auto floats = Simd::toFloats(sums);
    out = accumulate == Accumulate::Add ? out + floats : floats;
}

/// Returns words that each contain the same four digits of a row.
template <class Simd>
[[gnu::always_inline]] inline typename Simd::Words fourDigits(const std::int8_t *digits) {
    std::int32_t four;
    __builtin_memcpy(&four, digits, sizeof four);
    return Simd::allIntegers(four);
}

/// Adds the products of eight words of each group with the digits of each row: one sum for each
/// digit. The many independent sums hide the latency of an addition.
template <class Simd, int kRows, int kGroups>
[[gnu::always_inline]] inline void
addProducts(const typename Simd::Words (&bytes)[kGroups][8],
            const std::int8_t (*const (&rows)[kRows])[kFixedBlock],
            typename Simd::Words (&sums)[kRows][kGroups][kFixedDigits]) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
#pragma GCC unroll 2
        for (int r = 0; r < kRows; ++r)
#pragma GCC unroll 3
            for (int digit = 0; digit < kFixedDigits; ++digit) {
                const auto digits = fourDigits<Simd>(rows[r][digit] + 4 * i);
#pragma GCC unroll 2
                for (int group = 0; group < kGroups; ++group)
                    sums[r][group][digit] =
                        Simd::addedProducts(sums[r][group][digit], bytes[group][i], digits);
            }
}

template <int kCount>
struct RowCount {
    static constexpr int kRows = kCount;
};

/// Calls use(first, RowCount) for all rows: kTogether rows at a time, then one.
template <int kTogether, class Use>
[[gnu::always_inline]] inline void eachRow(std::int64_t rows, const Use &use) {
    std::int64_t r = 0;
#pragma GCC unroll 1
    for (; r + kTogether <= rows; r += kTogether)
        use(r, RowCount<kTogether>());
    if constexpr (kTogether > 1)
        if (r < rows)
            use(r, RowCount<1>());
}

/// Returns high · 2⁸ + low for each pair of 32-bit integers. The results must fit into 32 bits.
template <class Simd>
[[gnu::always_inline]] inline typename Simd::Words joined(typename Simd::Words high,
                                                          typename Simd::Words low) {
    return Simd::added(Simd::shifted(high, 8), low);
}

/// Q8_0. Adds 128 to the bytes, to make them unsigned. Each block of 32 has its own scale, so each
/// line has a sum of doubles.
template <class Simd, int kGroups, int kRows>
void fixedQ8_0(const EncodedLines *w, std::int64_t depth, const FixedSlice *a, std::int64_t aStride,
               std::int64_t rowCount, float *out, std::int64_t outStride, Accumulate accumulate) {
    using Words = typename Simd::Words;
    using Piece = typename Simd::Piece;
    constexpr int kBytes = 34, kTogether = kRows == 1 ? 1 : Simd::kRowsTogether;
    constexpr std::int64_t kMaxRows = kRows ? kRows : kFixedRows;
    const std::int64_t rows = kRows ? kRows : rowCount;
    Piece sums[kMaxRows][kGroups][Simd::kPieces];
    for (std::int64_t r = 0; r < rows; ++r)
        for (int group = 0; group < kGroups; ++group)
#pragma GCC unroll 4
            for (int i = 0; i < Simd::kPieces; ++i)
                sums[r][group][i] = Piece{};
    for (std::int64_t block = 0; block < depth / kFixedBlock; ++block) {
        const std::int64_t at = kBytes * block;
        Words bytes[kGroups][8];
        Piece scales[kGroups][Simd::kPieces];
#pragma GCC unroll 2
        for (int group = 0; group < kGroups; ++group) {
            prefetchAhead<kBytes>(w[group], at);
            eightWords<Simd>(w[group], at + 2, bytes[group]);
#pragma GCC unroll 8
            for (Words &word : bytes[group])
                word = Simd::changed(word, 0xFFFFFFFF, 0x80808080);
            const auto numbers = Simd::ofHalves(halvesOf(w[group].lines, at));
#pragma GCC unroll 4
            for (int i = 0; i < Simd::kPieces; ++i)
                scales[group][i] = Simd::ofNumbers(numbers, i);
        }
        eachRow<kTogether>(
            rows, [&](std::int64_t first, auto count) __attribute__((always_inline)) {
                constexpr int kNow = decltype(count)::kRows;
                Words of[kNow][kGroups][kFixedDigits];
                const std::int8_t(*digits[kNow])[kFixedBlock];
#pragma GCC unroll 2
                for (int r = 0; r < kNow; ++r) {
                    const FixedSlice &row = a[(first + r) * aStride];
                    digits[r] = row.digits[block];
#pragma GCC unroll 3
                    for (int digit = 0; digit < kFixedDigits; ++digit)
#pragma GCC unroll 2
                        for (int group = 0; group < kGroups; ++group)
                            of[r][group][digit] = Simd::allIntegers(row.less128[block][digit]);
                }
                addProducts<Simd>(bytes, digits, of);
#pragma GCC unroll 2
                for (int r = 0; r < kNow; ++r)
#pragma GCC unroll 2
                    for (int group = 0; group < kGroups; ++group) {
                        const Words(&sum)[kFixedDigits] = of[r][group];
                        const Words high = joined<Simd>(sum[0], sum[1]);
#pragma GCC unroll 4
                        for (int i = 0; i < Simd::kPieces; ++i)
                            sums[first + r][group][i] +=
                                (Simd::ofIntegers(high, i) * 256.0 + Simd::ofIntegers(sum[2], i)) *
                                scales[group][i];
                    }
            });
    }
    for (std::int64_t r = 0; r < rows; ++r)
        for (int group = 0; group < kGroups; ++group)
#pragma GCC unroll 4
            for (int i = 0; i < Simd::kPieces; ++i)
                storePiece<Simd>(out + r * outStride + group * kEncodedLines, i,
                                 sums[r][group][i] * a[r * aStride].unit, accumulate);
}

/// The sums of 256 numbers, one for each digit. The scales of their sub-blocks are integers.
template <class Simd, int kGroups, int kRows>
struct FixedSums {
    using Words = typename Simd::Words;
    Words of[kRows ? kRows : kFixedRows][kGroups][kFixedDigits];

    /// Adds the products of all rows with the bytes of a sub-block of kFixedBlock numbers.
    [[gnu::always_inline]] void add(const Words (&bytes)[kGroups][8],
                                    const Words (&scales)[kGroups], std::int64_t block,
                                    const FixedSlice *a, std::int64_t aStride, std::int64_t rows) {
        constexpr int kTogether = kRows == 1 ? 1 : Simd::kRowsTogether;
        eachRow<kTogether>(
            kRows ? kRows : rows, [&](std::int64_t first,
                                      auto count) __attribute__((always_inline)) {
                constexpr int kNow = decltype(count)::kRows;
                Words sums[kNow][kGroups][kFixedDigits];
                const std::int8_t(*digits[kNow])[kFixedBlock];
#pragma GCC unroll 2
                for (int r = 0; r < kNow; ++r) {
                    const FixedSlice &row = a[(first + r) * aStride];
                    digits[r] = row.digits[block];
#pragma GCC unroll 3
                    for (int digit = 0; digit < kFixedDigits; ++digit)
#pragma GCC unroll 2
                        for (int group = 0; group < kGroups; ++group)
                            sums[r][group][digit] = Simd::allIntegers(0);
                }
                addProducts<Simd>(bytes, digits, sums);
#pragma GCC unroll 2
                for (int r = 0; r < kNow; ++r)
#pragma GCC unroll 2
                    for (int group = 0; group < kGroups; ++group)
#pragma GCC unroll 3
                        for (int digit = 0; digit < kFixedDigits; ++digit) {
                            Words &to = of[first + r][group][digit];
                            const Words sum = Simd::product(sums[r][group][digit], scales[group]);
                            to = block ? Simd::added(to, sum) : sum;
                        }
            });
    }
    /// Returns piece i of the sums of all digits, which are exact.
    [[gnu::always_inline]] typename Simd::Piece joinedPiece(std::int64_t r, int group,
                                                            int i) const {
        const Words *const digits = of[r][group];
        return Simd::ofIntegers(digits[0], i) * 65536.0 +
               (Simd::ofIntegers(digits[1], i) * 256.0 + Simd::ofIntegers(digits[2], i));
    }
};

/// Q4_K and Q5_K: d · Σ scale · Σ q · a − dmin · Σ minimum · Σ a. Both products are exact.
template <class Simd, bool kHasFifthBits, int kGroups, int kRows>
void fixedQ4OrQ5_K(const EncodedLines *w, std::int64_t, const FixedSlice *a, std::int64_t aStride,
                   std::int64_t rowCount, float *out, std::int64_t outStride,
                   Accumulate accumulate) {
    using Words = typename Simd::Words;
    using Of = OfQ4OrQ5_K<Simd, kHasFifthBits>;
    const std::int64_t rows = kRows ? kRows : rowCount;
    Of blocks[kGroups];
    FixedSums<Simd, kGroups, kRows> sums;
#pragma GCC unroll 2
    for (int group = 0; group < kGroups; ++group) {
        prefetchAhead<Of::kBytes>(w[group], 0);
        blocks[group].start(w[group], 0);
    }
    for (int p = 0; p < Of::kParts; ++p) {
#pragma GCC unroll 2
        for (int group = 0; group < kGroups; ++group)
            blocks[group].load(w[group], 0, p);
#pragma GCC unroll 2
        for (int s = 0; s < Of::kSteps; ++s) {
            const int block = 2 * p + s;
            Words bytes[kGroups][8], scales[kGroups];
#pragma GCC unroll 2
            for (int group = 0; group < kGroups; ++group) {
                const Of &of = blocks[group];
#pragma GCC unroll 8
                for (int i = 0; i < 8; ++i) {
                    bytes[group][i] =
                        Simd::changed(Simd::shifted(of.low[i], -4 * s), 0x0F0F0F0F, 0);
                    if constexpr (kHasFifthBits)
                        bytes[group][i] = Simd::selected(
                            0x10101010, Simd::shifted(Simd::shiftedRight(of.fifth[i], block), 4),
                            bytes[group][i]);
                }
                scales[group] =
                    Simd::changed(Simd::shiftedRight(of.scales[block / 4], block % 4 * 8), 0x3F, 0);
            }
            sums.add(bytes, scales, block, a, aStride, rows);
        }
    }
    for (int group = 0; group < kGroups; ++group) {
        const Words minimums[2] = {Simd::changed(blocks[group].minimums[0], 0x3F3F3F3F, 0),
                                   Simd::changed(blocks[group].minimums[1], 0x3F3F3F3F, 0)};
        for (std::int64_t r = 0; r < rows; ++r) {
            const FixedSlice &row = a[r * aStride];
            Words digits[4];
#pragma GCC unroll 4
            for (int digit = 0; digit < 4; ++digit)
                digits[digit] =
                    Simd::addedProducts(Simd::addedProducts(Simd::allIntegers(0), minimums[0],
                                                            fourDigits<Simd>(row.sums[digit])),
                                        minimums[1], fourDigits<Simd>(row.sums[digit] + 4));
            const Words high = joined<Simd>(digits[0], digits[1]);
            const Words low = joined<Simd>(digits[2], digits[3]);
#pragma GCC unroll 4
            for (int i = 0; i < Simd::kPieces; ++i) {
                const auto less = Simd::ofIntegers(high, i) * 65536.0 + Simd::ofIntegers(low, i);
                const auto sum =
                    sums.joinedPiece(r, group, i) * Simd::ofNumbers(blocks[group].d, i) -
                    less * Simd::ofNumbers(blocks[group].least, i);
                // Adds 0.0 to turn −0 into +0, because sums of floats, which start at 0, are never
                // −0.
                storePiece<Simd>(out + r * outStride + group * kEncodedLines, i,
                                 (sum + 0.0) * row.unit, accumulate);
            }
        }
    }
}

/// Multiplies kGroups groups at a time, so that an integer of a row is loaded once for them. The
/// kernel for one row keeps its sums in registers.
template <int kGroups, FixedDots kOne, FixedDots kMany>
void fixedDots(const EncodedLines *w, std::int64_t depth, const FixedSlice *a, std::int64_t aStride,
               std::int64_t rows, float *out, std::int64_t outStride, Accumulate accumulate) {
    for (int group = 0; group < kEncodedGroups; group += kGroups)
        (rows == 1 ? kOne : kMany)(w + group, depth, a, aStride, rows, out + group * kEncodedLines,
                                   outStride, accumulate);
}

template <class Simd>
constexpr FixedPointKernel fixedPointKernel() {
    constexpr int kGroups = Simd::kGroups;
    FixedPointKernel kernel{fixedFrom, {}};
    kernel.dots[static_cast<int>(Encoding::Q8_0)] =
        fixedDots<kGroups, fixedQ8_0<Simd, kGroups, 1>, fixedQ8_0<Simd, kGroups, 0>>;
    kernel.dots[static_cast<int>(Encoding::Q4_K)] =
        fixedDots<kGroups, fixedQ4OrQ5_K<Simd, false, kGroups, 1>,
                  fixedQ4OrQ5_K<Simd, false, kGroups, 0>>;
    kernel.dots[static_cast<int>(Encoding::Q5_K)] =
        fixedDots<kGroups, fixedQ4OrQ5_K<Simd, true, kGroups, 1>,
                  fixedQ4OrQ5_K<Simd, true, kGroups, 0>>;
    return kernel;
}

} // namespace

} // namespace headlight::core
