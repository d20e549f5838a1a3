// Numbers as they lie in files, little-endian whatever the machine.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

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

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits.
inline float halfToFloat(std::uint16_t half) {
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1Fu;
    const std::uint32_t fraction = half & 0x3FFu;
    if (exponent == 0x1F)
        return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
    if (exponent == 0) { // subnormal: fraction · 2⁻²⁴, exact in a float
        const float magnitude = std::ldexp(static_cast<float>(fraction), -24);
        return sign ? -magnitude : magnitude;
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

/// bfloat16: the upper half of a float.
inline float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

} // namespace headlight::core
