#include "core/operations/linear.h"

#include "finite_difference.h"

using namespace headlight::core;
using namespace headlight::core::test;

TEST_CASE("a linear layer is PyTorch's, forward and backward") {
    for (const auto &expected : casesOf("linear")) {
        CAPTURE(expected["name"]);
        const Matrix x = matrixOf(expected["x"]), weight = matrixOf(expected["weight"]);
        const auto bias = numbersOf(expected, "bias");
        Framed from(x), columns(weight), out(x.rows(), weight.columns());
        linear(from.view(), columns.view(), bias, out.view());
        checkClose(out.view(), matrixOf(expected["out"]), kValues);
        CHECK(out.isWhole());

        Framed back(matrixOf(expected["arriving"])), xGradient(x.rows(), x.columns());
        Matrix weightGradient(weight.rows(), weight.columns());
        std::ranges::fill(numbersIn(weightGradient), 2.0f);
        std::vector<float> biasGradient(bias.size(), 3);
        linearBackward(from.view(), columns.view(), back.view(), xGradient.view(),
                       weightGradient.view(), biasGradient);
        checkClose(xGradient.view(), matrixOf(expected["x_gradient"]), kGradients);
        CHECK(xGradient.isWhole());
        checkAdded(weightGradient.values(), 2, matrixOf(expected["weight_gradient"]).values());
        checkAdded(biasGradient, 3, numbersOf(expected, "bias_gradient"));

        // Without gradients for the parameters.
        Matrix alone(x.rows(), x.columns());
        linearBackward(from.view(), columns.view(), back.view(), alone.view(), {}, {});
        checkClose(xGradient.view(), alone, 0);
    }
}

TEST_CASE("a linear layer: gradients are slopes") {
    for (const auto &expected : casesOf("linear")) {
        CAPTURE(expected["name"]);
        Matrix x = matrixOf(expected["x"]), weight = matrixOf(expected["weight"]);
        auto bias = numbersOf(expected, "bias");
        const Matrix arriving = matrixOf(expected["arriving"]);
        Matrix xGradient(x.rows(), x.columns()), weightGradient(weight.rows(), weight.columns());
        std::vector<float> biasGradient(bias.size());
        linearBackward(x.view(), weight.view(), arriving.view(), xGradient.view(),
                       weightGradient.view(), biasGradient);
        const auto loss = [&] {
            Matrix out(x.rows(), weight.columns());
            linear(x.view(), weight.view(), bias, out.view());
            return weighed(arriving.values(), out.values());
        };
        checkSlopes(numbersIn(x), xGradient.values(), loss);
        checkSlopes(numbersIn(weight), weightGradient.values(), loss);
        checkSlopes(bias, biasGradient, loss);
    }
}
