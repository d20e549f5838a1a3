// Writes matrices in NumPy's .npy format, version 1.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "core/tensor/shape.h"

#include <span>
#include <string>

namespace headlight::core {

/// Returns the bytes before the numbers of an array of little-endian float32, whose rows follow one
/// after another.
std::string npyHeader(const Shape &shape);

/// Returns the bytes of some numbers.
std::string npyRow(std::span<const float> numbers);

} // namespace headlight::core
