// Writes Python code: numbers, vectors and matrices for NumPy.
#pragma once

#include "core/tensor/matrix.h"

#include <span>
#include <string>

namespace headlight::core::numpy {

/// Returns all digits: "0.25", "-np.inf".
std::string number(float value);
/// Returns "name = value # comment".
std::string assign(const std::string &name, const std::string &value, const std::string &comment);
/// Returns "name = np.array([…], dtype=float)".
std::string vector(const std::string &name, std::span<const float> values,
                   const std::string &comment);
std::string matrix(const std::string &name, MatrixView values, const std::string &comment);

} // namespace headlight::core::numpy
