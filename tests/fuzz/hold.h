#pragma once

#include <cstdlib>

/// Aborts if `truth` is false, so that the fuzzer keeps the input.
inline void hold(bool truth) {
    if (!truth)
        std::abort();
}
