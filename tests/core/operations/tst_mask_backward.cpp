#include "core/operations/mask.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("nothing flows back through a hidden cell") {
    const Mask mask({CausalMask(), CellMask{{{{}, 0, 2, true}, {{}, 2, 0, false}}}}, 0, 3, 3, 3);
    const Matrix arriving(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
    Matrix gradient(3, 3);
    maskBackward(arriving.view(), mask, gradient.view());
    CHECK(gradient == Matrix(3, 3, {1, 0, 3, 4, 5, 0, 0, 8, 9}));
    Matrix own = arriving;
    maskBackward(own.view(), mask, own.view());
    CHECK(own == gradient);

    Matrix scores(3, 3, {1, -1, 0.5f, 2, 3, -2, 0.25f, 1, 1});
    checkSlopes(numbersIn(scores), gradient.values(), [&] {
        Matrix masked(3, 3);
        applyMask(scores.view(), mask, -10, masked.view());
        return weighed(arriving.values(), masked.values());
    });
}
