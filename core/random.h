// Random numbers that are the same on every system. The distributions of standard libraries differ,
// so the generator and its transforms are implemented here.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight::core {

/// SplitMix64 (Steele, Lea and Flood 2014): a counter and a mixing function. Good enough for
/// figures and lessons.
class Random {
  public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next();
    /// Returns a uniform number in [0, 1), a multiple of 2⁻⁵³.
    double uniform();
    /// Returns a normally distributed number with mean 0 and variance 1, by Marsaglia's polar
    /// method (1964).
    double normal();

  private:
    std::uint64_t m_state;
};

/// Derives a seed from a name, so that the same name always results in the same numbers: FNV-1a of
/// the name, mixed with `seed`.
std::uint64_t seedFor(std::uint64_t seed, std::string_view name);

} // namespace headlight::core
