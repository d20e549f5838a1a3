// Exhaustive tests run a sample of their cases by default, spread evenly, and all with
// `script/test --long`.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace headlight::test {

inline bool isLong() {
    static const bool asked = std::getenv("HEADLIGHT_LONG_TESTS") != nullptr;
    return asked;
}

/// True if the case with this number runs. By default one of `oneIn` does.
inline bool isTried(std::size_t number, std::size_t oneIn) {
    return isLong() || number % oneIn == 0;
}

/// Returns how many of `all` drawn cases a test runs, by default one of `oneIn`.
inline int drawn(int all, int oneIn) {
    return isLong() ? all : all / oneIn;
}

} // namespace headlight::test
