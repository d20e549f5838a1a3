// Decoding of encodings in blocks: those of ggml (ggml-common.h of github.com/ggml-org/ggml), and
// MXFP4. See encoded_numbers.h.
//
// The numbers are exactly those of the decoders of single blocks (formats/gguf/block_types.cpp): a
// product of a scale and an integer has at most 24 bits, and subtracting a minimum rounds once.
#pragma once

#include "core/kernels/encoded_numbers.h"

namespace headlight::core {

namespace {

/// Returns word `index` of the 16 bytes at offset `at` of each line.
template <class Simd>
[[gnu::always_inline]] inline typename Simd::Words wordOf(const EncodedLines &w, std::int64_t at,
                                                          int index) {
    typename Simd::Words words[4];
    Simd::fourWords(w.lines, at, words);
    return words[index];
}

/// Returns the integer in `bits` bits of each word, starting with bit `at`, minus `bias`.
template <class Simd>
[[gnu::always_inline]] inline typename Simd::Numbers integersIn(typename Simd::Words words, int at,
                                                                int bits, int bias = 0) {
    constexpr int kFraction = 23;
    if (at + bits > kFraction) {
        words = Simd::shifted(words, -16);
        at -= 16;
    }
    // Puts them into the fraction of a power of two whose bit `at` counts 1, and subtracts it.
    const int power = kFraction - at;
    return Simd::subtract(
        Simd::asNumbers(Simd::changed(words, ((1U << bits) - 1) << at,
                                      static_cast<std::uint32_t>(127 + power) << kFraction)),
        Simd::all(static_cast<float>((1 << power) + bias)));
}

/// Calls use(k, numbers) for 16 integers, one in each byte: the lowest kLow bits of `low`, and
/// above them the lowest kHigh bits of `high`. Then shifts these bits out.
template <class Simd, int kLow, int kHigh, int kBias = 0, class Use>
[[gnu::always_inline]] inline void sixteenIntegers(typename Simd::Words *low,
                                                   typename Simd::Words *high, const Use &use) {
    constexpr std::uint32_t kHighBits = 0x01010101U * (((1U << kHigh) - 1) << kLow);
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        auto word = low[i];
        low[i] = Simd::shifted(word, -kLow);
        if constexpr (kHigh > 0) {
            word = Simd::selected(kHighBits, Simd::shifted(high[i], kLow), word);
            high[i] = Simd::shifted(high[i], -kHigh);
        }
#pragma GCC unroll 4
        for (int byte = 0; byte < 4; ++byte)
            use(4 * i + byte, integersIn<Simd>(word, 8 * byte, kLow + kHigh, kBias));
    }
}

template <class Simd>
struct OfQ8_0 {
    static constexpr int kNumbers = 32, kBytes = 34, kParts = 2;
    typename Simd::Numbers scale, offset;

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        scale = Simd::ofLowHalves(wordOf<Simd>(w, at, 0));
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

/// Q4_0, Q4_1, Q5_0 and Q5_1: a scale, a minimum or none, a word with the fifth bits or none, and
/// 16 bytes with the low four bits: of the first 16 numbers, and of the others.
template <class Simd, bool kHasMinimum, bool kHasFifthBits>
struct OfQ4OrQ5 {
    static constexpr int kNumbers = 32, kParts = 2;
    static constexpr int kFifthAt = kHasMinimum ? 4 : 2;
    static constexpr int kLowAt = kFifthAt + (kHasFifthBits ? 4 : 0), kBytes = kLowAt + 16;
    typename Simd::Numbers scale, minimum;
    typename Simd::Words low[4], fifth;

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        typename Simd::Words head[4];
        Simd::fourWords(w.lines, at, head);
        scale = Simd::ofLowHalves(head[0]);
        if constexpr (kHasMinimum)
            minimum = Simd::ofLowHalves(Simd::shifted(head[0], -16));
        if constexpr (kHasFifthBits) {
            if constexpr (!kHasMinimum)
                Simd::fourWords(w.lines, at - 2, head);
            fifth = head[1];
        }
        Simd::fourWords(w.lines, at + kLowAt, low);
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &, std::int64_t, int p, const Use &use) {
        typename Simd::Words high[4];
        if constexpr (kHasFifthBits) {
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) // spreads four bits to the lowest bits of the four bytes
                high[i] = Simd::multiplied(Simd::changed(Simd::shifted(fifth, -4 * i), 15, 0),
                                           0x00204081);
            fifth = Simd::shifted(fifth, -16);
        }
        constexpr int kBias = kHasMinimum ? 0 : kHasFifthBits ? 16 : 8;
        sixteenIntegers<Simd, 4, kHasFifthBits, kBias>(
            low, high, [&](int k, auto integers) __attribute__((always_inline)) {
                if constexpr (kHasMinimum)
                    use(16 * p + k, Simd::multiplyAdd(integers, scale, minimum));
                else
                    use(16 * p + k, Simd::multiply(integers, scale));
            });
    }
};

/// Four-bit indexes into a table.
template <class Simd>
struct OfIQ4_NL {
    static constexpr int kNumbers = 32, kBytes = 18, kParts = 2;
    typename Simd::Numbers scale;
    typename Simd::Words words[4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        scale = Simd::ofLowHalves(wordOf<Simd>(w, at, 0));
        Simd::fourWords(w.lines, at + 2, words);
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &, std::int64_t, int p, const Use &use) {
        static constexpr float kTable[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                           1,    13,   25,  38,  53,  69,  89,  113};
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
            for (int byte = 0; byte < 4; ++byte)
                use(16 * p + 4 * i + byte,
                    Simd::multiply(
                        scale, Simd::ofTable(Simd::shifted(words[i], -8 * byte - 4 * p), kTable)));
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

// Blocks of 256 numbers consist of sub-blocks of 16 or 32 numbers with their own scales. Each byte
// has bits of numbers that are far apart.

/// factor · the integers in the bytes of four words
template <class Simd, int kBits, int kBias = 0>
[[gnu::always_inline]] inline void scalesIn(typename Simd::Words word, int at,
                                            typename Simd::Numbers factor,
                                            typename Simd::Numbers *to) {
#pragma GCC unroll 4
    for (int byte = 0; byte < 4; ++byte)
        to[byte] = Simd::multiply(factor, integersIn<Simd>(word, 8 * byte + at, kBits, kBias));
}

template <class Simd>
struct OfQ2_K {
    static constexpr int kNumbers = 256, kBytes = 84, kParts = 16;
    typename Simd::Numbers scale[16], minimum[16];
    typename Simd::Words words[2][4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        const auto halves = wordOf<Simd>(w, at + 68, 3);
        const auto d = Simd::ofLowHalves(halves),
                   least = Simd::ofLowHalves(Simd::shifted(halves, -16));
        typename Simd::Words bytes[4]; // a scale and a minimum in each
        Simd::fourWords(w.lines, at, bytes);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) {
            scalesIn<Simd, 4>(bytes[i], 0, d, scale + 4 * i);
            scalesIn<Simd, 4>(bytes[i], 4, least, minimum + 4 * i);
        }
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        auto &low = words[p % 2];
        if (p % 8 < 2)
            Simd::fourWords(w.lines, at + 16 + 32 * (p / 8) + 16 * (p % 2), low);
        const auto scaleOf = scale[p], minimumOf = minimum[p];
        sixteenIntegers<Simd, 2, 0>(
            low, nullptr, [&](int k, auto integers) __attribute__((always_inline)) {
                use(16 * p + k, Simd::multiplySubtract(integers, scaleOf, minimumOf));
            });
    }
};

template <class Simd>
struct OfQ3_K {
    static constexpr int kNumbers = 256, kBytes = 110, kParts = 16;
    typename Simd::Numbers scale[16];
    typename Simd::Words words[2][4], third[2][4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        const auto d = Simd::ofLowHalves(Simd::shifted(wordOf<Simd>(w, at + 94, 3), -16));
        typename Simd::Words six[4]; // after the first: four low bits of all, two high bits of all
        Simd::fourWords(w.lines, at + 92, six);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            scalesIn<Simd, 6, 32>(Simd::selected(0x30303030, Simd::shifted(six[3], 4 - 2 * i),
                                                 Simd::shifted(six[1 + i % 2], -4 * (i / 2))),
                                  0, d, scale + 4 * i);
        Simd::fourWords(w.lines, at, third[0]);
        Simd::fourWords(w.lines, at + 16, third[1]);
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        auto &low = words[p % 2];
        if (p % 8 < 2)
            Simd::fourWords(w.lines, at + 32 + 32 * (p / 8) + 16 * (p % 2), low);
        const auto scaleOf = scale[p];
        sixteenIntegers<Simd, 2, 1, 4>(
            low, third[p % 2], [&](int k, auto integers) __attribute__((always_inline)) {
                use(16 * p + k, Simd::multiply(integers, scaleOf));
            });
    }
};

/// Q4_K and Q5_K
template <class Simd, bool kHasFifthBits>
struct OfQ4OrQ5_K {
    static constexpr int kNumbers = 256, kParts = 16;
    static constexpr int kLowAt = kHasFifthBits ? 48 : 16, kBytes = kLowAt + 128;
    /// The scales and minimums of the eight sub-blocks of 32 numbers.
    typename Simd::Numbers scale[8], minimum[8];
    typename Simd::Words words[2][4], fifth[2][4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        typename Simd::Words head[4]; // d and dmin, then twelve bytes with six bits per number
        Simd::fourWords(w.lines, at, head);
        const auto d = Simd::ofLowHalves(head[0]),
                   least = Simd::ofLowHalves(Simd::shifted(head[0], -16));
        const auto joined = [](auto four, auto two) __attribute__((always_inline)) {
            return Simd::selected(0x30303030, Simd::shifted(two, -2), four);
        };
        scalesIn<Simd, 6>(head[1], 0, d, scale);
        scalesIn<Simd, 6>(head[2], 0, least, minimum);
        scalesIn<Simd, 6>(joined(head[3], head[1]), 0, d, scale + 4);
        scalesIn<Simd, 6>(joined(Simd::shifted(head[3], -4), head[2]), 0, least, minimum + 4);
        if constexpr (kHasFifthBits) {
            Simd::fourWords(w.lines, at + 16, fifth[0]);
            Simd::fourWords(w.lines, at + 32, fifth[1]);
        }
    }
    /// Bytes have the low four bits of the numbers of two sub-blocks.
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        const int block = p / 2, half = p % 2;
        if (block % 2 == 0)
            Simd::fourWords(w.lines, at + kLowAt + 16 * (block + half), words[half]);
        const auto scaleOf = scale[block], minimumOf = minimum[block];
        sixteenIntegers<Simd, 4, kHasFifthBits>(
            words[half], fifth[half], [&](int k, auto integers) __attribute__((always_inline)) {
                use(16 * p + k, Simd::multiplySubtract(integers, scaleOf, minimumOf));
            });
    }
};

template <class Simd>
struct OfQ6_K {
    static constexpr int kNumbers = 256, kBytes = 210, kParts = 16;
    typename Simd::Numbers scale[16];
    typename Simd::Words low[4][4], high[2][4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        const auto d = Simd::ofLowHalves(Simd::shifted(wordOf<Simd>(w, at + 194, 3), -16));
        typename Simd::Words bytes[4];
        Simd::fourWords(w.lines, at + 192, bytes);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i) // inverting the sign of a byte adds 128
            scalesIn<Simd, 8, 128>(Simd::changed(bytes[i], 0xFFFFFFFF, 0x80808080), 0, d,
                                   scale + 4 * i);
    }
    template <class Use>
    [[gnu::always_inline]] void part(const EncodedLines &w, std::int64_t at, int p,
                                     const Use &use) {
        const int half = p / 8, which = p % 4;
        if (p % 8 < 4)
            Simd::fourWords(w.lines, at + 64 * half + 16 * which, low[which]);
        if (p % 8 < 2)
            Simd::fourWords(w.lines, at + 128 + 32 * half + 16 * which, high[which]);
        const auto scaleOf = scale[p];
        sixteenIntegers<Simd, 4, 2, 32>(
            low[which], high[p % 2], [&](int k, auto integers) __attribute__((always_inline)) {
                use(16 * p + k, Simd::multiply(integers, scaleOf));
            });
    }
};

} // namespace

} // namespace headlight::core
