// Decodes encodings in blocks: the encodings of ggml (ggml-common.h of github.com/ggml-org/ggml),
// and MXFP4. See encoded_numbers.h.
//
// The numbers have the values that the decoders of single blocks compute
// (formats/gguf/block_types.cpp): a product of a scale and an integer has at most 24 bits, and
// subtracting a minimum rounds once. Zeros are always +0.
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

/// kNumbers numbers: a scale times an integer, minus an offset. The integers are the lowest kBits
/// bits of the bytes of `words`, and each scale belongs to 16 or more of them.
template <class Simd, int kBits, int kNumbers, int kScales = 1>
struct ScaledIntegers {
    typename Simd::Words words[kNumbers / 4];
    typename Simd::Numbers scale[kScales], offset[kScales];

    [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
        const int of = k * kScales / kNumbers;
        return Simd::multiplySubtract(
            Simd::ofLowBits(Simd::shifted(words[k / 4], -8 * (k % 4)), kBits), scale[of],
            offset[of]);
    }
    /// Subtracts `bias` from the integers of scale i.
    [[gnu::always_inline]] void setBias(int i, float bias) {
        offset[i] = Simd::multiply(scale[i], Simd::all(bias));
    }
    /// Sets the integers: the kLow bits of each byte of `low` from bit `lowAt`, and above them the
    /// bits of `high` from bit `highAt`.
    template <int kLow>
    [[gnu::always_inline]] void setIntegers(const typename Simd::Words *low, int lowAt,
                                            const typename Simd::Words *high = nullptr,
                                            int highAt = 0) {
        constexpr std::uint32_t kHighBits = 0x01010101U * ((1U << kBits) - (1U << kLow));
#pragma GCC unroll 8
        for (int i = 0; i < kNumbers / 4; ++i) {
            words[i] = Simd::shiftedRight(low[i], lowAt);
            if constexpr (kLow < kBits)
                words[i] = Simd::selected(
                    kHighBits, Simd::shifted(Simd::shiftedRight(high[i], highAt), kLow), words[i]);
        }
    }
};

template <class Simd>
struct OfQ8_0 {
    static constexpr int kNumbers = 32, kBytes = 34, kParts = 2, kSteps = 1;
    struct Step {
        typename Simd::Words words[4];
        typename Simd::Numbers scale, offset;

        /// Puts a byte x into the bits of the number 384 + x. Multiplying this number by the scale,
        /// which has 11 bits, and subtracting the offset is exact.
        [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
            const auto moved = Simd::shifted(words[k / 4], 15 - 8 * (k % 4));
            return Simd::multiplySubtract(
                Simd::asNumbers(Simd::changed(moved, 0x007F8000, 0x43C00000)), scale, offset);
        }
    };
    Step next;

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        next.scale = Simd::ofLowHalves(wordOf<Simd>(w, at, 0));
        next.offset = Simd::multiply(next.scale, Simd::all(384));
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int p) {
        Simd::fourWords(w.lines, at + 2 + 16 * p, next.words);
    }
    [[gnu::always_inline]] Step step(int, int) const { return next; }
};

/// Q4_0, Q4_1, Q5_0 and Q5_1. A block has a scale, an optional minimum, an optional word with the
/// fifth bits, and 16 bytes. The bytes contain the low four bits of the first 16 numbers and, above
/// them, of the last 16.
template <class Simd, bool kHasMinimum, bool kHasFifthBits>
struct OfQ4OrQ5 {
    static constexpr int kNumbers = 32, kParts = 1, kSteps = 2, kBits = kHasFifthBits ? 5 : 4;
    static constexpr int kFifthAt = kHasMinimum ? 4 : 2;
    static constexpr int kLowAt = kFifthAt + (kHasFifthBits ? 4 : 0), kBytes = kLowAt + 16;
    using Step = ScaledIntegers<Simd, kBits, 16>;
    Step next;
    typename Simd::Words low[4], fifth;

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        const auto halves = wordOf<Simd>(w, at, 0);
        next.scale[0] = Simd::ofLowHalves(halves);
        if constexpr (kHasMinimum) // the minimum is added, so its negative is the offset
            next.offset[0] =
                Simd::multiply(Simd::ofLowHalves(Simd::shifted(halves, -16)), Simd::all(-1));
        else
            next.setBias(0, 1 << (kBits - 1));
        if constexpr (kHasFifthBits)
            fifth = wordOf<Simd>(w, at + kFifthAt, 0);
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int) {
        Simd::fourWords(w.lines, at + kLowAt, low);
    }
    [[gnu::always_inline]] Step step(int, int s) {
        typename Simd::Words high[4];
        if constexpr (kHasFifthBits) {
            const auto bits = Simd::shiftedRight(fifth, 16 * s);
            // Copies the four bits so that bit j is the lowest of byte j.
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i)
                high[i] =
                    Simd::multiplied(Simd::changed(Simd::shifted(bits, -4 * i), 15, 0), 0x00204081);
        }
        next.template setIntegers<4>(low, 4 * s, high);
        return next;
    }
};

/// Four-bit indexes into a table.
template <class Simd>
struct OfIQ4_NL {
    static constexpr int kNumbers = 32, kBytes = 18, kParts = 1, kSteps = 2;
    struct Step {
        typename Simd::Words words[4];
        typename Simd::Numbers scale;

        [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
            static constexpr float kTable[] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                               1,    13,   25,  38,  53,  69,  89,  113};
            return Simd::multiply(scale,
                                  Simd::ofTable(Simd::shifted(words[k / 4], -8 * (k % 4)), kTable));
        }
    };
    Step next;
    typename Simd::Words low[4];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        next.scale = Simd::ofLowHalves(wordOf<Simd>(w, at, 0));
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int) {
        Simd::fourWords(w.lines, at + 2, low);
    }
    [[gnu::always_inline]] Step step(int, int s) {
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            next.words[i] = Simd::shiftedRight(low[i], 4 * s);
        return next;
    }
};

/// Four-bit numbers with a scale for each block, which is a power of two and stored separately.
/// Open Compute Project 2023, OCP Microscaling Formats (MX) Specification 1.0, section 6.3.
template <class Simd>
struct OfMxfp4 {
    static constexpr int kNumbers = 32, kBytes = 16, kParts = 1, kSteps = 1;
    struct Step {
        typename Simd::Words words[4];
        typename Simd::Numbers scale;

        [[gnu::always_inline]] typename Simd::Numbers operator[](int k) const {
            return Simd::rounded(
                Simd::multiply(scale, Simd::ofMxfp4(Simd::shifted(words[k / 8], -4 * (k % 8)))));
        }
    };
    Step next;

    /// A scale is 2^(byte − 127). The byte for NaN results in ∞, which is not finite either.
    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        std::uint32_t bits[kEncodedLines];
        for (int line = 0; line < kEncodedLines; ++line) {
            const std::uint32_t byte = w.scales[line][at / kBytes];
            bits[line] = byte ? byte << 23 : 0x00400000; // 2^−127 is subnormal
        }
        next.scale = Simd::asNumbers(Simd::load(bits));
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int) {
        Simd::fourWords(w.lines, at, next.words);
    }
    [[gnu::always_inline]] Step step(int, int) const { return next; }
};

// Blocks of 256 numbers consist of sub-blocks of 16 or 32 numbers with their own scales, which are
// integers. A step has 32 numbers. Each byte has bits of numbers that are 32 apart.

/// Returns the integers of `bits` bits that start at bit `at` of the words, multiplied by d.
template <class Simd>
[[gnu::always_inline]] inline typename Simd::Numbers scaleIn(typename Simd::Words word, int at,
                                                             int bits, typename Simd::Numbers d) {
    return Simd::multiply(Simd::ofLowBits(Simd::shiftedRight(word, at), bits), d);
}

/// Loads eight words of each line.
template <class Simd>
[[gnu::always_inline]] inline void eightWords(const EncodedLines &w, std::int64_t at,
                                              typename Simd::Words *words) {
    Simd::fourWords(w.lines, at, words);
    Simd::fourWords(w.lines, at + 16, words + 4);
}

template <class Simd>
struct OfQ2_K {
    static constexpr int kNumbers = 256, kBytes = 84, kParts = 2, kSteps = 4;
    using Step = ScaledIntegers<Simd, 2, 32, 2>;
    typename Simd::Numbers d, least;
    typename Simd::Words scales[4]; ///< a scale and a minimum in each byte
    typename Simd::Words low[8];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        const auto halves = wordOf<Simd>(w, at + 68, 3);
        d = Simd::ofLowHalves(halves);
        least = Simd::ofLowHalves(Simd::shifted(halves, -16));
        Simd::fourWords(w.lines, at, scales);
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int p) {
        eightWords<Simd>(w, at + 16 + 32 * p, low);
    }
    [[gnu::always_inline]] Step step(int p, int s) const {
        Step next;
        const auto bytes = Simd::shiftedRight(scales[2 * p + s / 2], s % 2 * 16);
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
            next.scale[i] = scaleIn<Simd>(bytes, 8 * i, 4, d);
            next.offset[i] = scaleIn<Simd>(bytes, 8 * i + 4, 4, least);
        }
        next.template setIntegers<2>(low, 2 * s);
        return next;
    }
};

template <class Simd>
struct OfQ3_K {
    static constexpr int kNumbers = 256, kBytes = 110, kParts = 2, kSteps = 4;
    using Step = ScaledIntegers<Simd, 3, 32, 2>;
    typename Simd::Numbers d, bias;
    typename Simd::Words scales[4];
    typename Simd::Words low[8], third[8];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        d = Simd::ofLowHalves(Simd::shifted(wordOf<Simd>(w, at + 94, 3), -16));
        bias = Simd::multiply(d, Simd::all(32));
        // six[0] is not used. six[1] and six[2] have the low four bits of all scales, six[3] has
        // their high two bits.
        typename Simd::Words six[4];
        Simd::fourWords(w.lines, at + 92, six);
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            scales[i] = Simd::selected(0x30303030, Simd::shifted(six[3], 4 - 2 * i),
                                       Simd::shifted(six[1 + i % 2], -4 * (i / 2)));
        eightWords<Simd>(w, at, third);
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int p) {
        eightWords<Simd>(w, at + 32 + 32 * p, low);
    }
    [[gnu::always_inline]] Step step(int p, int s) const {
        Step next;
        const auto bytes = Simd::shiftedRight(scales[2 * p + s / 2], s % 2 * 16);
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
            next.scale[i] =
                Simd::multiplySubtract(Simd::ofLowBits(Simd::shifted(bytes, -8 * i), 6), d, bias);
            next.setBias(i, 4);
        }
        next.template setIntegers<2>(low, 2 * s, third, 4 * p + s);
        return next;
    }
};

/// Q4_K and Q5_K
template <class Simd, bool kHasFifthBits>
struct OfQ4OrQ5_K {
    static constexpr int kNumbers = 256, kParts = 4, kSteps = 2;
    static constexpr int kLowAt = kHasFifthBits ? 48 : 16, kBytes = kLowAt + 128;
    using Step = ScaledIntegers<Simd, kHasFifthBits ? 5 : 4, 32>;
    typename Simd::Numbers d, least;
    typename Simd::Words scales[2], minimums[2]; ///< six bits in each byte
    typename Simd::Words low[8], fifth[8];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        typename Simd::Words head[4]; // d and dmin, then twelve bytes with six bits per number
        Simd::fourWords(w.lines, at, head);
        d = Simd::ofLowHalves(head[0]);
        least = Simd::ofLowHalves(Simd::shifted(head[0], -16));
        const auto joined = [](auto four, auto two) __attribute__((always_inline)) {
            return Simd::selected(0x30303030, Simd::shifted(two, -2), four);
        };
        scales[0] = head[1];
        scales[1] = joined(head[3], head[1]);
        minimums[0] = head[2];
        minimums[1] = joined(Simd::shifted(head[3], -4), head[2]);
        if constexpr (kHasFifthBits)
            eightWords<Simd>(w, at + 16, fifth);
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int p) {
        eightWords<Simd>(w, at + kLowAt + 32 * p, low);
    }
    [[gnu::always_inline]] Step step(int p, int s) const {
        Step next;
        const int block = 2 * p + s, byte = block % 4 * 8;
        next.scale[0] = scaleIn<Simd>(scales[block / 4], byte, 6, d);
        next.offset[0] = scaleIn<Simd>(minimums[block / 4], byte, 6, least);
        next.template setIntegers<4>(low, 4 * s, fifth, block);
        return next;
    }
};

template <class Simd>
struct OfQ6_K {
    static constexpr int kNumbers = 256, kBytes = 210, kParts = 2, kSteps = 4;
    using Step = ScaledIntegers<Simd, 6, 32, 2>;
    typename Simd::Numbers d, bias;
    typename Simd::Words scales[4];
    typename Simd::Words low[2][8], high[8];

    [[gnu::always_inline]] void start(const EncodedLines &w, std::int64_t at) {
        d = Simd::ofLowHalves(Simd::shifted(wordOf<Simd>(w, at + 194, 3), -16));
        bias = Simd::multiply(d, Simd::all(128));
        Simd::fourWords(w.lines, at + 192, scales);
#pragma GCC unroll 4
        for (auto &bytes : scales) // inverting the sign of a byte adds 128
            bytes = Simd::changed(bytes, 0xFFFFFFFF, 0x80808080);
    }
    [[gnu::always_inline]] void load(const EncodedLines &w, std::int64_t at, int p) {
        eightWords<Simd>(w, at + 64 * p, low[0]);
        eightWords<Simd>(w, at + 64 * p + 32, low[1]);
        eightWords<Simd>(w, at + 128 + 32 * p, high);
    }
    [[gnu::always_inline]] Step step(int p, int s) const {
        Step next;
        const auto bytes = Simd::shiftedRight(scales[2 * p + s / 2], s % 2 * 16);
#pragma GCC unroll 2
        for (int i = 0; i < 2; ++i) {
            next.scale[i] =
                Simd::multiplySubtract(Simd::ofLowBits(Simd::shifted(bytes, -8 * i), 8), d, bias);
            next.setBias(i, 32);
        }
        next.template setIntegers<4>(low[s % 2], s / 2 * 4, high, 2 * s);
        return next;
    }
};

} // namespace

} // namespace headlight::core
