#include "core/operations/position.h"

#include "reference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("sinusoidal positions, interleaved and sorted, of even and odd width") {
    for (const auto &expected : casesOf("position")) {
        const auto length = expected["length"].get<Index>(), width = expected["width"].get<Index>();
        CAPTURE(width);
        for (const auto order : {SinusoidOrder::Interleaved, SinusoidOrder::Halves}) {
            const bool sorted = order == SinusoidOrder::Halves;
            const Matrix positions = sinusoidalPositions(length, width, order);
            checkClose(positions.view(), matrixOf(expected[sorted ? "halves" : "interleaved"]),
                       kValues);
            for (Index t = 0; t < length; ++t)
                for (Index column = 0; column < width; ++column)
                    CHECK(sinusoidalPosition(t, column, width, order) == positions(t, column));
        }
    }
}
