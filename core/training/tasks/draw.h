// What tasks draw examples with.
#pragma once

#include "core/random.h"
#include "core/tensor/matrix.h"

#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// 0 … count − 1, each as likely.
inline Index below(Random &random, Index count) {
    return static_cast<Index>(random.uniform() * static_cast<double>(count));
}

/// least … most, each as likely.
inline Index between(Random &random, Index least, Index most) {
    return least + below(random, most - least + 1);
}

template <typename T>
const T &oneOf(Random &random, const std::vector<T> &choices) {
    return choices[static_cast<std::size_t>(below(random, std::ssize(choices)))];
}

/// Different numbers from `first` on, out of `choices` of them, into `out`.
void drawDistinct(Random &random, Index first, Index choices, std::span<Index> out);

/// "a", "b", …: the words of tasks about sequences of anything.
std::vector<std::string> letters(Index count);

} // namespace headlight::core
