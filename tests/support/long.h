// Exhaustive tests run an evenly spread sample of their cases by default, and all cases with
// `script/test --long`.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace headlight::test {

inline bool isLong() {
    static const bool asked = std::getenv("HEADLIGHT_LONG_TESTS") != nullptr;
    return asked;
}

/// True if the case with this number runs. By default, one in `oneIn` cases does.
inline bool isTried(std::size_t number, std::size_t oneIn) {
    return isLong() || number % oneIn == 0;
}

/// Returns how many of `all` random cases a test runs. By default, it runs one in `oneIn`.
inline int drawn(int all, int oneIn) {
    return isLong() ? all : all / oneIn;
}

} // namespace headlight::test
