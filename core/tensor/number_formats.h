// Number formats in files, little-endian on every machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headlight::core {

template <typename Unsigned>
Unsigned littleEndian(const char *bytes) {
    Unsigned value = 0;
    for (std::size_t i = 0; i < sizeof(Unsigned); ++i)
        value = static_cast<Unsigned>(
            value | static_cast<Unsigned>(
                        static_cast<Unsigned>(static_cast<unsigned char>(bytes[i])) << (8 * i)));
    return value;
}

/// Converts to little-endian, the byte order of all storages.
inline void toLittleEndian(std::span<float> numbers) {
    if constexpr (std::endian::native == std::endian::big)
        for (float &number : numbers) {
            auto bytes = std::bit_cast<std::array<std::byte, sizeof(float)>>(number);
            std::ranges::reverse(bytes);
            number = std::bit_cast<float>(bytes);
        }
}

/// Converts IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. Keeps the payload of NaN.
/// Branch-free, so that compilers can vectorise loops over it.
inline float halfToFloat(std::uint16_t half) {
    const auto magnitude = static_cast<std::int32_t>((half & 0x7FFFu) << 13);
    // 2^(127 − 15), the difference of the exponent biases: exact, even for subnormal halves.
    const float scaled = std::bit_cast<float>(magnitude) * 0x1p112f;
    const std::uint32_t infinite = magnitude > 0x0F7FFFFF ? 0x7F800000u : 0u;
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(scaled) | infinite |
                                static_cast<std::uint32_t>(half & 0x8000u) << 16);
}

/// Rounds to the nearest binary16, ties to even. Numbers beyond its range become infinite; NaN
/// stays NaN.
inline std::uint16_t floatToHalf(float number) {
    constexpr std::uint32_t kInfinite = 0x7F800000u;
    constexpr std::uint32_t kTooLarge = 0x47800000u; // 65536; the largest half is 65504
    constexpr std::uint32_t kNormal = 0x38800000u;   // 2^−14, the smallest normal half
    const auto bits = std::bit_cast<std::uint32_t>(number);
    const std::uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7FFFFFFFu;
    std::uint32_t half = 0;
    if (magnitude > kInfinite)
        half = 0x7E00u;
    else if (magnitude >= kTooLarge)
        half = 0x7C00u;
    else if (magnitude < kNormal) // rounds the sum to a multiple of 2^−24, like subnormal halves
        half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) -
               std::bit_cast<std::uint32_t>(0.5f);
    else // subtracts the difference of the exponent biases; a carry increases the exponent
        half = (magnitude - 0x38000000u + 0x0FFFu + (magnitude >> 13 & 1u)) >> 13;
    return static_cast<std::uint16_t>(sign | half);
}

/// Converts bfloat16, the upper half of a float.
inline float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

} // namespace headlight::core
