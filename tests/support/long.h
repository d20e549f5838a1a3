// Sweeps over all that there is: some of it by default, spread evenly, and all of it with `script/test --long`.
#pragma once

#include <cstddef>
#include <cstdlib>

namespace headlight::test {

inline bool isLong() {
    static const bool asked = std::getenv("HEADLIGHT_LONG_TESTS") != nullptr;
    return asked;
}

/// Whether the case with this number is tried; by default one in `oneIn` is.
inline bool isTried(std::size_t number, std::size_t oneIn) {
    return isLong() || number % oneIn == 0;
}

} // namespace headlight::test
