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

/// Converts bfloat16, the upper half of a float.
inline float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

} // namespace headlight::core
