#include "core/operations/head_state.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("the mean in a context's place is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("head_state")) {
        Matrix x = matrixOf(expected["x"]);
        const Matrix arriving = matrixOf(expected["arriving"]);
        const auto real = expected["real"].get<Index>();
        Framed context(x), gradient(arriving);
        replaceByMean(context.view(), real);
        checkClose(context.view(), matrixOf(expected["out"]), kValues);
        meanBackward(gradient.view(), real, gradient.view()); // in place
        const Matrix expectedGradient = matrixOf(expected["x_gradient"]);
        checkClose(gradient.view(), expectedGradient, kGradients);
        CHECK(gradient.isWhole());
        checkSlopes(numbersIn(x), expectedGradient.values(), [&] {
            Matrix out = x;
            replaceByMean(out.view(), real);
            return weighed(arriving.values(), out.values());
        });
    }
}
