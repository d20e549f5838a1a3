// The exponential function of many numbers side by side: arithmetic only, so that a compiler can
// compute a whole register of them at once, which it cannot through the standard library's.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace headlight::core {

/// exp(x) with a relative error below 2e-7; exp(0) is exactly 1 and NaN stays NaN. Exactly 0 below
/// x = −87.7, where floats lose their digits, and infinite above 88.37, a little before they end.
inline float exponential(float x) {
    constexpr float perHalving = 1.44269504f; // 1/ln 2
    // ln 2 in two parts: a whole number times the first has no rounding.
    constexpr float coarse = 0.693145752f, fine = 1.42860677e-6f;
    // Added to a small number this leaves its nearest whole one in the last bits.
    constexpr float rounder = 12582912;
    const float within = std::min(std::max(x, -88.0f), 89.0f);
    const float rounded = within * perHalving + rounder;
    const float whole = rounded - rounder;
    const float rest = (within - whole * coarse) - whole * fine; // |rest| ≤ ½ ln 2
    // Its Taylor series; the next term would be below 6e-9.
    const float series =
        1 +
        rest * (1 + rest * (1 / 2.0f +
                            rest * (1 / 6.0f +
                                    rest * (1 / 24.0f +
                                            rest * (1 / 120.0f +
                                                    rest * (1 / 720.0f + rest * (1 / 5040.0f)))))));
    // 2^whole by its exponent; of −127 that is 0, of 128 infinity.
    const std::uint32_t exponent =
        std::bit_cast<std::uint32_t>(rounded) - std::bit_cast<std::uint32_t>(rounder) + 127;
    return series * std::bit_cast<float>(exponent << 23);
}

} // namespace headlight::core
