// Random numbers that are the same on every system: our own generator and transforms, because the
// standard library's distributions differ between its implementations.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight::core {

/// SplitMix64 (Steele, Lea and Flood 2014): a counter and a mixer; good enough for pictures and
/// lessons.
class Random {
  public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next();
    /// In [0, 1), on a grid of 2⁻⁵³.
    double uniform();
    /// Mean 0, variance 1, by Marsaglia's polar method (1964).
    double normal();

  private:
    std::uint64_t m_state;
};

/// A seed for a named thing, so that the same word always gets the same numbers: FNV-1a of the
/// name, mixed with the seed.
std::uint64_t seedFor(std::uint64_t seed, std::string_view name);

} // namespace headlight::core
