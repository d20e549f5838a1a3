// Step by which a number changes for each pixel it is dragged.
#pragma once

#include <Qt>

#include <cmath>

namespace headlight::ui {

/// Returns a power of ten, at most a fiftieth of the largest number.
inline double dragStep(double largest) {
    return largest > 0 ? std::pow(10.0, std::floor(std::log10(2 * largest)) - 2) : 0.01;
}

/// Returns the factor of the modifier keys: Shift fine, Ctrl coarse.
inline double dragFactor(Qt::KeyboardModifiers modifiers) {
    return modifiers & Qt::ShiftModifier ? 0.1 : modifiers & Qt::ControlModifier ? 10 : 1;
}

} // namespace headlight::ui
