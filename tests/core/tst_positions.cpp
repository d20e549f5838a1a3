#include "core/operations/position.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace headlight::core;

TEST_CASE("position 0 is sin 0 and cos 0") {
    CHECK(sinusoidalPositions(1, 4) == Matrix(1, 4, {0, 1, 0, 1}));
}

TEST_CASE("the first pair turns by one radian a token, the last hardly at all") {
    const Matrix p = sinusoidalPositions(3, 4);
    CHECK(p(2, 0) == doctest::Approx(std::sin(2.0)));
    CHECK(p(2, 1) == doctest::Approx(std::cos(2.0)));
    CHECK(p(2, 2) == doctest::Approx(std::sin(0.02)));
    CHECK(p(2, 3) == doctest::Approx(std::cos(0.02)));
}

TEST_CASE("an odd width ends on a sine") {
    const Matrix p = sinusoidalPositions(2, 3);
    CHECK(p(1, 2) == doctest::Approx(std::sin(1 / std::pow(10000.0, 2.0 / 3.0))));
}

TEST_CASE("a shift is the same rotation everywhere") {
    const Matrix p = sinusoidalPositions(20, 8);
    const auto similarity = [&](Index a, Index b) {
        double sum = 0;
        for (Index c = 0; c < 8; ++c)
            sum += static_cast<double>(p(a, c)) * static_cast<double>(p(b, c));
        return sum;
    };
    for (Index t = 1; t + 3 < 20; ++t)
        CHECK(similarity(t, t + 3) == doctest::Approx(similarity(0, 3)));
}

TEST_CASE("one number is that of the whole matrix") {
    for (const Index width : {1, 7, 64}) {
        const Matrix positions = sinusoidalPositions(20, width);
        for (Index t = 0; t < 20; ++t)
            for (Index column = 0; column < width; ++column)
                CHECK(sinusoidalPosition(t, column, width) == positions(t, column));
    }
}
