// Numbers as they lie in files, little-endian whatever the machine.
#pragma once

#include <bit>
#include <cstddef>
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

/// IEEE 754 binary16: 1 sign, 5 exponent and 10 fraction bits. The bits of what is no number stay.
/// Without a branch, so that a compiler makes vector instructions of a loop over it.
inline float halfToFloat(std::uint16_t half) {
    constexpr std::uint32_t kRebias = 112u << 23; // 127 − 15, the difference of the exponents
    const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7FFFu) << 13;
    const std::uint32_t exponent = half & 0x7C00u;
    const std::uint32_t normal = magnitude + kRebias;
    // Subnormal: fraction · 2⁻²⁴, which is what ½ + fraction · 2⁻²⁴ has beyond ½; exact.
    const float small = std::bit_cast<float>(0x3F000000u | (half & 0x3FFu)) - 0.5f;
    const std::uint32_t bits = exponent == 0         ? std::bit_cast<std::uint32_t>(small)
                               : exponent == 0x7C00u ? normal + kRebias
                                                     : normal;
    return std::bit_cast<float>(bits | static_cast<std::uint32_t>(half & 0x8000u) << 16);
}

/// bfloat16: the upper half of a float.
inline float bfloatToFloat(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

} // namespace headlight::core
