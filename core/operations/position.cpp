#include "core/operations/position.h"

#include <cmath>

namespace headlight::core {

Matrix sinusoidalPositions(Index length, Index width) {
    Matrix positions(length, width);
    for (Index column = 0; column < width; ++column) {
        const Index even = column - column % 2;
        const double wavelength =
            std::pow(10000.0, static_cast<double>(even) / static_cast<double>(width));
        for (Index t = 0; t < length; ++t) {
            const double angle = static_cast<double>(t) / wavelength;
            positions(t, column) =
                static_cast<float>(column % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return positions;
}

} // namespace headlight::core
