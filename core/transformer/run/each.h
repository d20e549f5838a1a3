// The functions of op::Each, row by row.
#pragma once

#include "core/transformer/plan/operation.h"

#include <span>

namespace headlight::core {

/// out = function(x). Sizes are equal; x and out may share memory.
void applyEach(const op::Function &function, std::span<const float> x, std::span<float> out);

/// The values that eachBackward() needs.
enum class NumbersNeeded { None, Made, Read };
NumbersNeeded numbersNeeded(const op::Function &function);

/// Multiplies the gradient by the derivative of the function, computed from the values that
/// numbersNeeded() returns.
void eachBackward(const op::Function &function, std::span<const float> numbers,
                  std::span<float> gradient);

} // namespace headlight::core
