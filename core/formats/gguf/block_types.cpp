#include "core/formats/gguf/block_types.h"

#include "core/tensor/number_formats.h"

#include <algorithm>
#include <array>
#include <bit>

namespace headlight::core {

namespace {

std::uint16_t u16At(const std::uint8_t *bytes) {
    return static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8);
}

std::uint32_t u32At(const std::uint8_t *bytes) {
    return static_cast<std::uint32_t>(u16At(bytes)) | static_cast<std::uint32_t>(u16At(bytes + 2))
                                                          << 16;
}

float halfAt(const std::uint8_t *bytes) {
    return halfToFloat(u16At(bytes));
}

void decodeF32(const std::uint8_t *block, float *out) {
    *out = std::bit_cast<float>(u32At(block));
}

void decodeF16(const std::uint8_t *block, float *out) {
    *out = halfAt(block);
}

void decodeBf16(const std::uint8_t *block, float *out) {
    *out = bfloatToFloat(u16At(block));
}

void decodeF64(const std::uint8_t *block, float *out) {
    const std::uint64_t bits = u32At(block) | static_cast<std::uint64_t>(u32At(block + 4)) << 32;
    *out = static_cast<float>(std::bit_cast<double>(bits));
}

// In blocks of 32 numbers, number j is in the low four bits of byte j, and number j + 16 in its
// high four bits.
constexpr int kSmallBlock = 32, kHalfBlock = 16;

void decodeQ4_0(const std::uint8_t *block, float *out) {
    const float d = halfAt(block);
    const std::uint8_t *q = block + 2;
    for (int j = 0; j < kHalfBlock; ++j) {
        out[j] = d * static_cast<float>((q[j] & 15) - 8);
        out[j + kHalfBlock] = d * static_cast<float>((q[j] >> 4) - 8);
    }
}

void decodeQ4_1(const std::uint8_t *block, float *out) {
    const float d = halfAt(block), m = halfAt(block + 2);
    const std::uint8_t *q = block + 4;
    for (int j = 0; j < kHalfBlock; ++j) {
        out[j] = d * static_cast<float>(q[j] & 15) + m;
        out[j + kHalfBlock] = d * static_cast<float>(q[j] >> 4) + m;
    }
}

/// Returns the fifth bit of number j, shifted to its position.
int fifthBit(std::uint32_t high, int j) {
    return static_cast<int>(high >> j & 1) << 4;
}

void decodeQ5_0(const std::uint8_t *block, float *out) {
    const float d = halfAt(block);
    const std::uint32_t high = u32At(block + 2);
    const std::uint8_t *q = block + 6;
    for (int j = 0; j < kHalfBlock; ++j) {
        const int other = j + kHalfBlock;
        out[j] = d * static_cast<float>(((q[j] & 15) | fifthBit(high, j)) - 16);
        out[other] = d * static_cast<float>(((q[j] >> 4) | fifthBit(high, other)) - 16);
    }
}

void decodeQ5_1(const std::uint8_t *block, float *out) {
    const float d = halfAt(block), m = halfAt(block + 2);
    const std::uint32_t high = u32At(block + 4);
    const std::uint8_t *q = block + 8;
    for (int j = 0; j < kHalfBlock; ++j) {
        const int other = j + kHalfBlock;
        out[j] = d * static_cast<float>((q[j] & 15) | fifthBit(high, j)) + m;
        out[other] = d * static_cast<float>((q[j] >> 4) | fifthBit(high, other)) + m;
    }
}

void decodeQ8_0(const std::uint8_t *block, float *out) {
    const float d = halfAt(block);
    for (int j = 0; j < kSmallBlock; ++j)
        out[j] = d * static_cast<float>(static_cast<std::int8_t>(block[2 + j]));
}

void decodeIq4Nl(const std::uint8_t *block, float *out) {
    constexpr std::array<float, 16> kValues{-127, -104, -83, -65, -49, -35, -22, -10,
                                            1,    13,   25,  38,  53,  69,  89,  113};
    const float d = halfAt(block);
    const std::uint8_t *q = block + 2;
    for (int j = 0; j < kHalfBlock; ++j) {
        out[j] = d * kValues[q[j] & 15];
        out[j + kHalfBlock] = d * kValues[q[j] >> 4];
    }
}

// Blocks of 256 numbers consist of sub-blocks of 16 or 32 numbers with their own scales.

void decodeQ2K(const std::uint8_t *block, float *out) {
    const std::uint8_t *scales = block, *q = block + 16;
    const float d = halfAt(block + 80), dmin = halfAt(block + 82);
    for (int half = 0; half < 2; ++half, q += 32)
        for (int shift = 0; shift < 8; shift += 2)
            for (int part = 0; part < 2; ++part) {
                const std::uint8_t sc = *scales++;
                const float scale = d * static_cast<float>(sc & 15);
                const float least = dmin * static_cast<float>(sc >> 4);
                for (int l = 0; l < 16; ++l)
                    *out++ = scale * static_cast<float>(q[16 * part + l] >> shift & 3) - least;
            }
}

/// Returns one of the 16 six-bit scales of Q3_K: four low bits in the first eight bytes, two high
/// bits in the last four.
int scaleOfQ3K(const std::uint8_t *s, int k) {
    const int low = k < 8 ? s[k] & 15 : s[k - 8] >> 4;
    const int high = s[8 + k % 4] >> (2 * (k / 4)) & 3;
    return (low | high << 4) - 32;
}

void decodeQ3K(const std::uint8_t *block, float *out) {
    const std::uint8_t *thirdBits = block, *q = block + 32, *scales = block + 96;
    const float d = halfAt(block + 108);
    int k = 0; // index of the sub-block
    for (int half = 0; half < 2; ++half, q += 32)
        for (int turn = 0; turn < 4; ++turn)
            for (int part = 0; part < 2; ++part, ++k) {
                const float scale = d * static_cast<float>(scaleOfQ3K(scales, k));
                for (int l = 16 * part; l < 16 * part + 16; ++l) {
                    const bool isSet = thirdBits[l] >> (4 * half + turn) & 1;
                    const int value = (q[l] >> (2 * turn) & 3) - (isSet ? 0 : 4);
                    *out++ = scale * static_cast<float>(value);
                }
            }
}

/// The scale and the minimum of a sub-block of Q4_K and Q5_K, six bits each. In the last four
/// sub-blocks, each value is split into two parts.
struct ScaleAndMinimum {
    int scale, minimum;
};

ScaleAndMinimum sixBits(const std::uint8_t *s, int j) {
    if (j < 4)
        return {s[j] & 63, s[j + 4] & 63};
    return {(s[j + 4] & 15) | (s[j - 4] >> 6) << 4, (s[j + 4] >> 4) | (s[j] >> 6) << 4};
}

void decodeQ4K(const std::uint8_t *block, float *out) {
    const float d = halfAt(block), dmin = halfAt(block + 2);
    const std::uint8_t *scales = block + 4, *q = block + 16;
    for (int part = 0; part < 8; ++part) {
        const auto [scale, minimum] = sixBits(scales, part);
        const float factor = d * static_cast<float>(scale);
        const float least = dmin * static_cast<float>(minimum);
        const std::uint8_t *of = q + 32 * (part / 2);
        const int shift = 4 * (part % 2);
        for (int l = 0; l < kSmallBlock; ++l)
            *out++ = factor * static_cast<float>(of[l] >> shift & 15) - least;
    }
}

void decodeQ5K(const std::uint8_t *block, float *out) {
    const float d = halfAt(block), dmin = halfAt(block + 2);
    const std::uint8_t *scales = block + 4, *fifthBits = block + 16, *q = block + 48;
    for (int part = 0; part < 8; ++part) {
        const auto [scale, minimum] = sixBits(scales, part);
        const float factor = d * static_cast<float>(scale);
        const float least = dmin * static_cast<float>(minimum);
        const std::uint8_t *of = q + 32 * (part / 2);
        const int shift = 4 * (part % 2);
        for (int l = 0; l < kSmallBlock; ++l) {
            const int value = (of[l] >> shift & 15) | (fifthBits[l] >> part & 1) << 4;
            *out++ = factor * static_cast<float>(value) - least;
        }
    }
}

void decodeQ6K(const std::uint8_t *block, float *out) {
    const std::uint8_t *low = block, *high = block + 128, *scales = block + 192;
    const float d = halfAt(block + 208);
    for (int half = 0; half < 2; ++half, low += 64, high += 32, scales += 8)
        for (int quarter = 0; quarter < 4; ++quarter)
            for (int l = 0; l < kSmallBlock; ++l) {
                const int four = low[32 * (quarter % 2) + l] >> (4 * (quarter / 2)) & 15;
                const int two = high[l] >> (2 * quarter) & 3;
                const auto scale = static_cast<std::int8_t>(scales[2 * quarter + l / 16]);
                *out++ = d * static_cast<float>(scale) * static_cast<float>((four | two << 4) - 32);
            }
}

constexpr std::array<std::uint8_t, 1> kAt0{0}, kAt108{108}, kAt208{208};
constexpr std::array<std::uint8_t, 2> kAt0And2{0, 2}, kAt80And82{80, 82};

/// Decodes consecutive complete blocks.
template <auto kDecodeBlock, Index kValues, Index kBytes>
void decodeBlocks(const std::byte *from, Index count, float *out) {
    const auto *block = reinterpret_cast<const std::uint8_t *>(from);
    for (Index done = 0; done < count; done += kValues, block += kBytes)
        kDecodeBlock(block, out + done);
}

template <auto kDecodeBlock, std::size_t kValues, std::size_t kBytes>
constexpr GgufType typeOf(std::uint32_t number, std::string_view name,
                          std::span<const std::uint8_t> scales = {},
                          Encoding kernel = Encoding::Other) {
    return {number,
            name,
            kValues,
            kBytes,
            kDecodeBlock,
            scales,
            {kernel, kValues, kBytes, decodeBlocks<kDecodeBlock, kValues, kBytes>}};
}

constexpr GgufType kReadTypes[] = {
    typeOf<decodeF32, 1, 4>(0, "F32", {}, Encoding::F32),
    typeOf<decodeF16, 1, 2>(1, "F16", {}, Encoding::F16),
    typeOf<decodeBf16, 1, 2>(30, "BF16", {}, Encoding::BF16),
    typeOf<decodeF64, 1, 8>(28, "F64"),
    typeOf<decodeQ8_0, 32, 34>(8, "Q8_0", kAt0, Encoding::Q8_0),
    typeOf<decodeQ4_0, 32, 18>(2, "Q4_0", kAt0, Encoding::Q4_0),
    typeOf<decodeQ4_1, 32, 20>(3, "Q4_1", kAt0And2, Encoding::Q4_1),
    typeOf<decodeQ5_0, 32, 22>(6, "Q5_0", kAt0, Encoding::Q5_0),
    typeOf<decodeQ5_1, 32, 24>(7, "Q5_1", kAt0And2, Encoding::Q5_1),
    typeOf<decodeQ2K, 256, 84>(10, "Q2_K", kAt80And82, Encoding::Q2_K),
    typeOf<decodeQ3K, 256, 110>(11, "Q3_K", kAt108, Encoding::Q3_K),
    typeOf<decodeQ4K, 256, 144>(12, "Q4_K", kAt0And2, Encoding::Q4_K),
    typeOf<decodeQ5K, 256, 176>(13, "Q5_K", kAt0And2, Encoding::Q5_K),
    typeOf<decodeQ6K, 256, 210>(14, "Q6_K", kAt208, Encoding::Q6_K),
    typeOf<decodeIq4Nl, 32, 18>(20, "IQ4_NL", kAt0, Encoding::IQ4_NL),
};

struct NamedType {
    std::uint32_t number;
    std::string_view name;
};

/// Types of ggml that Headlight cannot read. Those before Q8_1 no longer exist in ggml.
constexpr NamedType kOtherTypes[] = {
    {4, "Q4_2"},        {5, "Q4_3"},        {31, "Q4_0_4_4"},   {32, "Q4_0_4_8"}, {33, "Q4_0_8_8"},
    {36, "IQ4_NL_4_4"}, {37, "IQ4_NL_4_8"}, {38, "IQ4_NL_8_8"}, {9, "Q8_1"},      {15, "Q8_K"},
    {16, "IQ2_XXS"},    {17, "IQ2_XS"},     {18, "IQ3_XXS"},    {19, "IQ1_S"},    {21, "IQ3_S"},
    {22, "IQ2_S"},      {23, "IQ4_XS"},     {24, "I8"},         {25, "I16"},      {26, "I32"},
    {27, "I64"},        {29, "IQ1_M"},      {34, "TQ1_0"},      {35, "TQ2_0"},    {39, "MXFP4"},
    {40, "NVFP4"},      {41, "Q1_0"},       {42, "Q2_0"}};

} // namespace

const GgufType *findGgufType(std::uint32_t number) {
    const auto found = std::ranges::find(kReadTypes, number, &GgufType::number);
    return found == std::end(kReadTypes) ? nullptr : &*found;
}

std::string nameOfGgufType(std::uint32_t number) {
    if (const GgufType *type = findGgufType(number))
        return std::string(type->name);
    const auto found = std::ranges::find(kOtherTypes, number, &NamedType::number);
    return found == std::end(kOtherTypes) ? "number " + std::to_string(number)
                                          : std::string(found->name);
}

std::string readGgufTypes() {
    std::string list;
    for (const GgufType &type : kReadTypes)
        list += (list.empty() ? "" : ", ") + std::string(type.name);
    return list;
}

} // namespace headlight::core
