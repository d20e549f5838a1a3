// Vectors of kLanes numbers and functions on them. The including file defines kLanes. Only
// arithmetic is used, so that a whole register is computed at once.
//
// Files that include this one are compiled for instruction sets that some processors lack.
// Everything here therefore has internal linkage and does not use the standard library: otherwise
// the linker could use a copy with such instructions for the whole program.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headlight::core {

namespace {

constexpr std::size_t kStep = kLanes;
typedef float Vector __attribute__((vector_size(kLanes * sizeof(float))));
typedef float AnyPlace __attribute__((vector_size(kLanes * sizeof(float)), aligned(4), may_alias));
typedef std::int32_t Integers __attribute__((vector_size(kLanes * sizeof(std::int32_t))));
typedef double Doubles __attribute__((vector_size(kLanes * sizeof(double))));
typedef std::int64_t LongIntegers __attribute__((vector_size(kLanes * sizeof(std::int64_t))));

constexpr float kInfinity = __builtin_huge_valf();
constexpr float kLargest = __FLT_MAX__;

inline Vector load(const float *from) {
    return *reinterpret_cast<const AnyPlace *>(from);
}
inline void store(float *to, Vector vector) {
    *reinterpret_cast<AnyPlace *>(to) = vector;
}
inline Vector all(float number) {
    return number - Vector{};
}
/// Loads `count` numbers and fills the other lanes with `rest`.
inline Vector loadSome(const float *from, std::size_t count, float rest) {
    Vector some = all(rest);
    for (std::size_t i = 0; i < count; ++i)
        some[i] = from[i];
    return some;
}
inline void storeSome(float *to, std::size_t count, Vector vector) {
    for (std::size_t i = 0; i < count; ++i)
        to[i] = vector[i];
}

/// exp(x) with a relative error below 2e-7. exp(0) is exactly 1 and NaN stays NaN. Exactly 0 below
/// x = −87.7, where floats become subnormal. Infinite above 88.37, slightly before floats overflow.
inline Vector exponential(Vector x) {
    constexpr float perHalving = 1.44269504f; // 1/ln 2
    // ln 2 as the sum of two parts. Multiplying an integer by the first part is exact.
    constexpr float coarse = 0.693145752f, fine = 1.42860677e-6f;
    // Adding this to a small number rounds it to the nearest integer, which is then in the low
    // bits.
    constexpr float rounder = 12582912;
    constexpr std::int32_t rounderBits = __builtin_bit_cast(std::int32_t, rounder);
    Vector within = x < -88.0f ? all(-88.0f) : x;
    within = within > 89.0f ? all(89.0f) : within;
    const Vector rounded = within * perHalving + rounder;
    const Vector whole = rounded - rounder;
    const Vector rest = (within - whole * coarse) - whole * fine; // |rest| ≤ ½ ln 2
    // Taylor series; the next term would be below 6e-9.
    Vector series = 1 / 720.0f + rest * (1 / 5040.0f);
    series = 1 / 120.0f + rest * series;
    series = 1 / 24.0f + rest * series;
    series = 1 / 6.0f + rest * series;
    series = 1 / 2.0f + rest * series;
    series = 1 + rest * series;
    series = 1 + rest * series;
    // 2^whole, built from its exponent: −127 results in 0, 128 in infinity.
    const Integers exponent = __builtin_bit_cast(Integers, rounded) - rounderBits + 127;
    const Integers power = exponent << 23;
    return series * __builtin_bit_cast(Vector, power);
}

/// x = exp(x) with a relative error below 1e-15. Limits x to −708 … 709. exp(0) is exactly 1. Takes
/// a reference, because these vectors are wider than a register.
inline void exponentiate(Doubles &x) {
    constexpr double perHalving = 1.4426950408889634; // 1/ln 2
    // ln 2 as the sum of two parts. Multiplying an integer by the first part is exact.
    constexpr double coarse = 6.93147180369123816490e-01, fine = 1.90821492927058770002e-10;
    constexpr double rounder = 6755399441055744; // 1.5 · 2⁵², as in the function for floats
    constexpr std::int64_t rounderBits = __builtin_bit_cast(std::int64_t, rounder);
    Doubles within = x < -708.0 ? Doubles{} - 708.0 : x;
    within = within > 709.0 ? Doubles{} + 709.0 : within;
    const Doubles rounded = within * perHalving + rounder;
    const Doubles whole = rounded - rounder;
    const Doubles rest = (within - whole * coarse) - whole * fine; // |rest| ≤ ½ ln 2
    // Taylor series; the next term would be below 5e-18.
    Doubles series = 1 / 479001600.0 + rest * (1 / 6227020800.0);
    series = 1 / 39916800.0 + rest * series;
    series = 1 / 3628800.0 + rest * series;
    series = 1 / 362880.0 + rest * series;
    series = 1 / 40320.0 + rest * series;
    series = 1 / 5040.0 + rest * series;
    series = 1 / 720.0 + rest * series;
    series = 1 / 120.0 + rest * series;
    series = 1 / 24.0 + rest * series;
    series = 1 / 6.0 + rest * series;
    series = 1 / 2.0 + rest * series;
    series = 1 + rest * series;
    series = 1 + rest * series;
    const LongIntegers exponent = __builtin_bit_cast(LongIntegers, rounded) - rounderBits + 1023;
    const LongIntegers power = exponent << 52;
    x = series * __builtin_bit_cast(Doubles, power);
}

/// Φ(x), the standard normal distribution function; `bell` is exp(−x²/2). Relative error below 3e-6
/// for |x| ≤ 10, even in the tail; exactly 0 and 1 beyond |x| = 13.3. The tail is bell·t·P(t), t =
/// 1/(1 + 0.3·|x|), a form of Hastings (1955); P was fitted by tests/reference/fit_normal_tail.py.
inline Vector normalBelow(Vector x, Vector bell) {
    constexpr float coefficients[] = {-0.157203026f, 0.206353404f, -0.0536835469f, 0.128561573f,
                                      0.0999135089f, 0.120753953f, 0.119629299f};
    const Vector size = x < 0 ? -x : x;
    const Vector t = 1 / (1 + 0.3f * size);
    Vector polynomial = all(0.035674761f);
    for (const float coefficient : coefficients)
        polynomial = polynomial * t + coefficient;
    const Vector tail = bell * (t * polynomial);
    return x < 0 ? tail : 1 - tail;
}

} // namespace

} // namespace headlight::core
