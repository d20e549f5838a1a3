#pragma once

#include <cstdlib>

/// Aborts unless `truth` holds, so that a fuzzer keeps the input that broke it.
inline void hold(bool truth) {
    if (!truth)
        std::abort();
}
