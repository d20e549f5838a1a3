// Helpers that draw random examples and assign them to splits, so that training can never draw a
// held-out example.
#pragma once

#include "core/random.h"
#include "core/tensor/matrix.h"
#include "core/training/tasks/task.h"

#include <span>
#include <string>
#include <vector>

namespace headlight::core {

/// Draws a uniformly distributed number from 0 … count − 1.
inline Index below(Random &random, Index count) {
    return static_cast<Index>(random.uniform() * static_cast<double>(count));
}

/// Draws a uniformly distributed number from least … most.
inline Index between(Random &random, Index least, Index most) {
    return least + below(random, most - least + 1);
}

template <typename T>
const T &oneOf(Random &random, const std::vector<T> &choices) {
    return choices[static_cast<std::size_t>(below(random, std::ssize(choices)))];
}

/// Fills `out` with distinct random numbers from first … first + choices − 1.
void drawDistinct(Random &random, Index first, Index choices, std::span<Index> out);

/// Returns "a", "b", …: the vocabulary of tasks on abstract sequences.
std::vector<std::string> letters(Index count);

/// Returns the split of an example from the ids of its content. A mixed FNV-1a hash of the ids
/// selects one in eight to be held out.
Split splitOf(std::span<const Index> content);

} // namespace headlight::core
