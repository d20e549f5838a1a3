// By how much a number changes with each pixel that it is dragged.
#pragma once

#include <Qt>

#include <cmath>

namespace headlight::ui {

/// A power of ten, a fiftieth of the largest number that is there or less.
inline double dragStep(double largest) {
    return largest > 0 ? std::pow(10.0, std::floor(std::log10(2 * largest)) - 2) : 0.01;
}

/// Shift fine, Ctrl coarse.
inline double dragFactor(Qt::KeyboardModifiers modifiers) {
    return modifiers & Qt::ShiftModifier ? 0.1 : modifiers & Qt::ControlModifier ? 10 : 1;
}

} // namespace headlight::ui
