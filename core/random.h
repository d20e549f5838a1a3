// Random numbers that are the same on every system. Uses its own generator and transforms, because
// the distributions of standard libraries differ.
#pragma once

#include <cstdint>
#include <string_view>

namespace headlight::core {

/// SplitMix64 (Steele, Lea and Flood 2014): a counter and a mixer. Good enough for figures and
/// lessons.
class Random {
  public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next();
    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    double uniform();
    /// Mean 0, variance 1, by Marsaglia's polar method (1964).
    double normal();

  private:
    std::uint64_t m_state;
};

/// Derives a seed from a name, so that the same name always gets the same numbers: FNV-1a of the
/// name, mixed with `seed`.
std::uint64_t seedFor(std::uint64_t seed, std::string_view name);

} // namespace headlight::core
