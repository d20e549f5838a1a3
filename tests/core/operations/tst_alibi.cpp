#include "core/operations/alibi.h"

#include "reference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("ALiBi's slopes are the authors', also of heads that are no power of two") {
    for (const auto &expected : casesOf("alibi")) {
        CAPTURE(expected["heads"]);
        checkClose(alibiSlopes(expected["heads"]), numbersOf(expected, "slopes"), 1e-7);
    }
    // The example of the paper (Press et al.), section 3: 1/2, 1/4, …, 1/256.
    CHECK(alibiSlopes(8) == std::vector<float>{0.5f, 0.25f, 0.125f, 0.0625f, 0.03125f, 0.015625f,
                                               0.0078125f, 0.00390625f});
}

TEST_CASE("ALiBi takes off a slope a token, on both sides") {
    Framed bias(2, 4);
    alibiBias(0.5f, bias.view());
    checkClose(bias.view(), Matrix(2, 4, {0, -0.5f, -1, -1.5f, -0.5f, 0, -0.5f, -1}), 0);
    CHECK(bias.isWhole());
}
