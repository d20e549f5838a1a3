// Writes matrices in NumPy's .npy format, version 1.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "core/tensor/shape.h"

#include <span>
#include <string>

namespace headlight::core {

/// Returns the header of an array of little-endian float32 in row-major order. The numbers follow
/// it in the file.
std::string npyHeader(const Shape &shape);

/// Returns the numbers of a row as bytes of the file.
std::string npyRow(std::span<const float> numbers);

} // namespace headlight::core
