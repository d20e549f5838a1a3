#include "core/operations/position.h"

#include <cmath>

namespace headlight::core {

namespace {

/// Of a column: both of a pair of dimensions have the same one.
double wavelengthOf(Index column, Index width) {
    const Index even = column - column % 2;
    return std::pow(10000.0, static_cast<double>(even) / static_cast<double>(width));
}

float waveAt(Index position, Index column, double wavelength) {
    const double angle = static_cast<double>(position) / wavelength;
    return static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
}

} // namespace

float sinusoidalPosition(Index position, Index column, Index width) {
    return waveAt(position, column, wavelengthOf(column, width));
}

Matrix sinusoidalPositions(Index length, Index width) {
    Matrix positions(length, width);
    for (Index column = 0; column < width; ++column) {
        const double wavelength = wavelengthOf(column, width);
        for (Index t = 0; t < length; ++t)
            positions(t, column) = waveAt(t, column, wavelength);
    }
    return positions;
}

} // namespace headlight::core
