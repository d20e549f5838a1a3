// Unwraps results in programs that end at the first error.
#pragma once

#include "core/result.h"

#include <cstdlib>
#include <iostream>

/// Returns the value. Without one, prints the error and ends the program.
template <typename T>
T must(headlight::core::Result<T> result) {
    if (!result.ok()) {
        std::cerr << result.error().text() << '\n';
        std::exit(1);
    }
    return *std::move(result);
}
