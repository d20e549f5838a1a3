#include "core/operations/position.h"

#include <cmath>

namespace headlight::core {

namespace {

/// The function of one column: a sine or cosine of the position.
struct Wave {
    double length; ///< wavelength in tokens ÷ 2π; the same for the sine and cosine of a pair
    bool isSine;

    float at(Index position) const {
        const double angle = static_cast<double>(position) / length;
        return static_cast<float>(isSine ? std::sin(angle) : std::cos(angle));
    }
};

Wave waveOf(Index column, Index width, SinusoidOrder order) {
    const Index sines = (width + 1) / 2;
    if (order == SinusoidOrder::Halves)
        column = column < sines ? 2 * column : 2 * (column - sines) + 1;
    const Index even = column - column % 2;
    return {std::pow(10000.0, static_cast<double>(even) / static_cast<double>(width)),
            column == even};
}

} // namespace

float sinusoidalPosition(Index position, Index column, Index width, SinusoidOrder order) {
    return waveOf(column, width, order).at(position);
}

Matrix sinusoidalPositions(Index length, Index width, SinusoidOrder order) {
    Matrix positions(length, width);
    for (Index column = 0; column < width; ++column) {
        const Wave wave = waveOf(column, width, order);
        for (Index t = 0; t < length; ++t)
            positions(t, column) = wave.at(t);
    }
    return positions;
}

} // namespace headlight::core
